#include "loom/fabric/circuits/provision/topology/topology_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/circuits/provision/edge_coloring.h"
#include "loom/fabric/circuits/provision/testing.h"
#include "loom/fabric/circuits/provision/topology/topology_edges.h"

namespace loom::fabric {
namespace {

using ::testing::ElementsAre;

std::vector<int> first_devices(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

OcsLimits limits_of(int devices, int degree) {
  OcsLimits limits;
  limits.devices = limits.ports = devices;
  limits.switches = degree;
  return limits;
}

// Random groups, which may overlap, and pairs.
TopologyDemand random_topology_demand(Random& random, int devices) {
  TopologyDemand demand;
  demand.devices = devices;
  for (unsigned g = 0; g < random(4); ++g) {
    std::vector<int> all = first_devices(devices);
    for (std::size_t i = all.size(); i > 1; --i) {
      std::swap(all[i - 1], all[random(static_cast<std::uint32_t>(i))]);
    }
    all.resize(1 + random(static_cast<std::uint32_t>(devices)));
    demand.groups.push_back({all, {1 + std::int64_t{random(1'000'000)}}});
  }
  demand.pairs = random_demand(random, devices, random(40), 1'000'000);
  return demand;
}

TopologyOptions random_options(Random& random) {
  TopologyOptions options;
  options.degree = 1 + static_cast<int>(random(6));
  options.directed = random(2) == 0;
  options.steps = random(2) == 0 ? StepChoice::geometric : StepChoice::optimal;
  if (random(2) == 0) {
    options.all_reduce_degree =
        static_cast<int>(random(static_cast<std::uint32_t>(options.degree + 1)));
  }
  return options;
}

// Whether `from` reaches `to` over the circuits.
bool reaches(const Circuits& circuits, int devices, int from, int to) {
  std::vector<bool> seen(static_cast<std::size_t>(devices), false);
  seen[static_cast<std::size_t>(from)] = true;
  for (int round = 0; round < devices; ++round) {
    for (const Circuit& it : circuits) {
      if (seen[static_cast<std::size_t>(it.from)]) seen[static_cast<std::size_t>(it.to)] = true;
    }
  }
  return seen[static_cast<std::size_t>(to)];
}

TEST(TopologyFinder, StaysWithinThePlanesAndConnectsDevicesThatExchangeData) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 51);
    const int devices = 2 + static_cast<int>(random(14));
    const TopologyDemand demand = random_topology_demand(random, devices);
    const TopologyOptions options = random_options(random);
    const Topology topology = find_topology(demand, options);
    EXPECT_EQ(why(violation(limits_of(devices, options.degree), topology.circuits)),
              "no objection");
    const bool can_connect = options.directed || options.degree > 1;
    for (const workload::PairDemand& it : demand_over(demand, topology.rings)) {
      if (can_connect) {
        EXPECT_TRUE(reaches(topology.circuits, devices, it.from, it.to));
      }
    }
  }
}

TEST(TopologyFinder, GivesEveryRingOfItsOwnACircuitForEachNeighbor) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 52);
    const int devices = 2 + static_cast<int>(random(14));
    const TopologyDemand demand = random_topology_demand(random, devices);
    const Topology topology = find_topology(demand, random_options(random));
    std::map<std::pair<int, int>, int> left;
    for (const PairCircuits& it : by_pair(topology.circuits)) left[{it.from, it.to}] = it.count;
    for (const GroupRings& it : topology.rings) {
      const std::vector<int>& members = demand.groups[static_cast<std::size_t>(it.group)].members;
      for (const int step : it.steps) {
        EXPECT_EQ(std::gcd(step, static_cast<int>(members.size())), 1);
        if (!it.own_circuits) continue;
        for (const Edge& edge : ring_of(members, step)) {
          EXPECT_GE(--left[std::pair(edge.from, edge.to)], 0);
        }
      }
    }
  }
}

TEST(TopologyFinder, UndirectedEveryCircuitHasItsReverse) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random = random_stream(seed, 53);
    const int devices = 2 + static_cast<int>(random(12));
    TopologyOptions options = random_options(random);
    options.directed = false;
    const Topology topology = find_topology(random_topology_demand(random, devices), options);
    std::map<std::pair<int, int>, int> balance;
    for (const Circuit& it : topology.circuits) {
      ++balance[{it.from, it.to}];
      --balance[{it.to, it.from}];
    }
    for (const auto& it : balance) EXPECT_EQ(it.second, 0) << "seed " << seed;
  }
}

TEST(TopologyFinder, DividesPortsByThePublishedRule) {
  TopologyDemand demand{4, {{first_devices(4), {100}}}, {{0, 1, {100}}, {1, 2, {100}}}};
  EXPECT_EQ(all_reduce_degree_by_rule(demand, 4), 3);  // 600 of 800 bytes are reduced
  EXPECT_EQ(all_reduce_degree_by_rule(demand, 8), 6);
  demand.pairs = {{0, 1, {1'000'000}}};
  EXPECT_EQ(all_reduce_degree_by_rule(demand, 8), 1);
  demand.groups.clear();
  EXPECT_EQ(all_reduce_degree_by_rule(demand, 8), 1);
  demand.pairs.clear();
  EXPECT_EQ(all_reduce_degree_by_rule(demand, 8), 8);
}

TEST(TopologyFinder, LeavesDisjointGroupsAllTheirPorts) {
  TopologyDemand demand{8, {{{0, 1, 2, 3}, {10}}, {{4, 5, 6, 7}, {1000}}}, {}};
  const Topology topology = find_topology(demand, {.degree = 2});
  ASSERT_EQ(topology.rings.size(), 2U);
  EXPECT_THAT(topology.rings[0].steps, ElementsAre(1, 3));
  EXPECT_THAT(topology.rings[1].steps, ElementsAre(1, 3));
}

TEST(TopologyFinder, GivesEquivalentGroupsTheSameNumberOfRings) {
  TopologyDemand demand{6, {{{0, 1, 2}, {10}, 7}, {{3, 4, 5}, {10}, 7}, {{0, 1}, {1000}}}, {}};
  const Topology topology = find_topology(demand, {.degree = 3});
  EXPECT_EQ(topology.rings[0].steps, topology.rings[1].steps);
}

TEST(TopologyFinder, GivesAPairTheCircuitsThatHalvingLeavesIt) {
  // 0 -> 1 has four times as many bytes: after two circuits its weight is below that of 0 -> 2.
  const workload::Demand pairs = {{0, 1, {400}}, {0, 2, {101}}};
  FreePorts ports(3, 3);
  EdgeList edges;
  add_matchings(pairs, {true, 3}, ports, edges);
  std::sort(edges.begin(), edges.end());
  EXPECT_THAT(edges, ElementsAre(Edge{0, 1}, Edge{0, 1}, Edge{0, 2}));
}

TEST(TopologyFinder, TheBestSplitIsTheCheapestOfAll) {
  const TopologyDemand demand{6, {{first_devices(6), {1000}}}, {{0, 3, {500}}, {4, 1, {700}}}};
  const auto cost = [](const Topology& it) { return std::abs(it.all_reduce_degree - 2.2); };
  EXPECT_EQ(best_split(demand, {.degree = 4}, cost).all_reduce_degree, 2);
}

TEST(TopologyFinder, ConnectsAllDevicesOnRequest) {
  TopologyDemand demand{8, {{{0, 1, 2, 3}, {10}}, {{4, 5, 6, 7}, {1000}}}, {}};
  TopologyOptions options{.degree = 2};
  EXPECT_FALSE(strongly_connected(8, find_topology(demand, options).circuits));
  options.connect_all = true;
  EXPECT_TRUE(strongly_connected(8, find_topology(demand, options).circuits));
}

// König, 1916.
TEST(Planes, EveryMultigraphOfDegreeDIsDPartialPermutations) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random = random_stream(seed, 54);
    const int devices = 2 + static_cast<int>(random(20));
    const int degree = 1 + static_cast<int>(random(8));
    FreePorts ports(devices, degree);
    std::vector<BipartiteEdge> edges;
    for (int i = 0; i < 4 * devices * degree; ++i) {
      const auto from = random(static_cast<std::uint32_t>(devices));
      const auto to = random(static_cast<std::uint32_t>(devices));
      if (from == to || ports.out[from] == 0 || ports.in[to] == 0) continue;
      ports.take({static_cast<int>(from), static_cast<int>(to)});
      edges.push_back({static_cast<int>(from), static_cast<int>(to)});
    }
    const std::vector<int> planes = color_edges(devices, degree, edges);
    Circuits circuits;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      circuits.push_back({.from = edges[e].left, .to = edges[e].right, .plane = planes[e]});
    }
    EXPECT_EQ(why(violation(limits_of(devices, degree), circuits)), "no objection")
        << "seed " << seed;
  }
}

// Whether on every plane a device sends to the one it receives from.
void expect_duplex(const Topology& topology) {
  std::map<std::pair<int, int>, int> peer;  // by plane and device
  for (const Circuit& it : topology.circuits) peer[{it.plane, it.from}] = it.to;
  for (const Circuit& it : topology.circuits) {
    EXPECT_EQ((peer[{it.plane, it.to}]), it.from);
  }
}

TEST(Planes, DuplexPlanesTakeEvenRingsAndPairs) {
  for (const int devices : {2, 4, 6, 8, 16, 30}) {
    TopologyDemand demand{devices, {{first_devices(devices), {1000}}}, {}};
    for (int d = 0; d + 1 < devices; d += 2) demand.pairs.push_back({d, d + 1, {500}});
    const TopologyOptions options{.degree = 4, .directed = false, .duplex_planes = true};
    const Topology topology = find_topology(demand, options);
    EXPECT_LE(topology.planes_needed, 4) << devices;
    EXPECT_EQ(why(violation(limits_of(devices, 4), topology.circuits)), "no objection");
    expect_duplex(topology);
  }
}

TEST(Planes, AnOddRingTakesThreeDuplexPlanes) {
  const TopologyDemand demand{5, {{first_devices(5), {1000}}}, {}};
  const TopologyOptions options{.degree = 2, .directed = false, .duplex_planes = true};
  EXPECT_EQ(find_topology(demand, options).planes_needed, 3);
}

}  // namespace
}  // namespace loom::fabric
