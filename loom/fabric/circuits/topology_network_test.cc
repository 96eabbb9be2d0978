#include "loom/fabric/circuits/topology_network.h"

#include <fmt/format.h>

#include <limits>
#include <numeric>
#include <set>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/network/balanced_routes.h"
#include "loom/fabric/network/graph.h"
#include "loom/fabric/testing.h"

namespace loom::fabric {
namespace {

CircuitFabric topoopt(const std::string& more, int devices) {
  const std::string split = more.find("split") == std::string::npos ? ", split: rule" : "";
  const std::string text =
      "{kind: topoopt, bandwidth: 400 Gbps, latency: 1 us" + split + more + "}";
  return build_circuits(read_fabric(parse_yaml(text, "test.yaml")), {devices, 1});
}

std::string refusal(const std::string& more) {
  return message_of([&] { topoopt(more, 8); });
}

TopologyDemand random_demand(Random& random, int devices) {
  TopologyDemand demand;
  demand.devices = devices;
  std::vector<int> members(static_cast<std::size_t>(devices));
  std::iota(members.begin(), members.end(), 0);
  if (random(3) > 0) demand.groups.push_back({members, {1 + std::int64_t{random(1'000'000)}}});
  for (int from = 0; from < devices; ++from) {
    for (int to = 0; to < devices; ++to) {
      if (from != to && random(3) == 0) demand.pairs.push_back({from, to, {1 + random(100'000)}});
    }
  }
  return demand;
}

// Checks flow conservation of a route at each device, and its shares on transit links.
std::optional<Infeasible> flaw_of_shares(const Network& network, const Route& route, int from,
                                         int to) {
  std::map<int, std::int64_t> held = {{from, kWhole}};
  std::map<int, std::int64_t> forwarded;
  std::map<int, std::int64_t> transit;
  std::set<int> links;
  for (const Hop& hop : route.hops) {
    const Link& link = network.links[static_cast<std::size_t>(hop.link)];
    if (!links.insert(hop.link).second) return Infeasible{"a link is used twice"};
    const auto share = static_cast<std::int64_t>(hop.share);
    if (link.from == link.to) {
      transit[link.from] += share;
      continue;
    }
    held[link.from] -= share;
    held[link.to] += share;
    if (link.to != to) forwarded[link.to] += share;
  }
  for (const auto& it : held) {
    if (it.second != (it.first == to ? kWhole : 0)) return Infeasible{"a share is lost"};
  }
  if (transit.empty() || transit == forwarded) return std::nullopt;
  return Infeasible{"transit shares differ from the forwarded traffic"};
}

TEST(TopologyNetwork, RoutesReachTheirDestinationOverProvisionedCircuits) {
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    Random random = random_stream(seed, 61);
    const int devices = 2 + static_cast<int>(random(14));
    const std::string more =
        fmt::format(", degree: {}, wiring: {}, split: {}{}", 2 + random(4),
                    random(2) == 0 ? "directed" : "duplex", random(2) == 0 ? "rule" : "sweep",
                    random(2) == 0 ? ", forwarding_rate: 10 Gbps" : "");
    SCOPED_TRACE(fmt::format("seed {}{}", seed, more));
    const CircuitFabric fabric = topoopt(more, devices);
    const TopologyDemand demand = random_demand(random, devices);
    const TopologySetup found = provision_topology(fabric, demand);
    ASSERT_EQ(why(found.setup.infeasible), "no objection");
    EXPECT_EQ(why(violation(fabric, found.topology.circuits)), "no objection");
    const Network& network = found.setup.network;
    std::size_t links = 0;
    for (const PairCircuits& it : by_pair(found.topology.circuits)) {
      EXPECT_EQ(network.links[links].from, it.from);
      EXPECT_EQ(network.links[links].to, it.to);
      EXPECT_EQ(network.links[links++].bandwidth.bits_per_second,
                it.count * fabric.circuit.bits_per_second);
    }
    for (const workload::PairDemand& it : demand_over(demand, found.topology.rings)) {
      const Route route = route_of(network, it.from, it.to);
      EXPECT_EQ(why(flaw_of_shares(network, route, it.from, it.to)), "no objection");
    }
  }
}

// Every device sends its share of the buffer at full bandwidth all the time.
TEST(TopologyNetwork, RingsUseAllThatADeviceCanSend) {
  const CircuitFabric fabric = topoopt("", 16);
  TopologyDemand demand{16, {}, {}};
  demand.groups.push_back({{}, {1'600'000'000}});
  for (int d = 0; d < 16; ++d) demand.groups[0].members.push_back(d);
  const TopologySetup found = provision_topology(fabric, demand);
  const double seconds =
      busiest_link_time(found.setup.network, demand_over(demand, found.topology.rings));
  EXPECT_DOUBLE_EQ(seconds, 2 * 15 / 16.0 * 1.6e9 * 8 / 400e9);
}

TEST(TopologyNetwork, TheSweepIsNeverWorseThanTheRule) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random = random_stream(seed, 62);
    const int devices = 3 + static_cast<int>(random(12));
    const TopologyDemand demand = random_demand(random, devices);
    const auto time = [&](const std::string& split) {
      const TopologySetup found = provision_topology(topoopt(", split: " + split, devices), demand);
      return busiest_link_time(found.setup.network, demand_over(demand, found.topology.rings));
    };
    const double sweep = time("sweep");
    EXPECT_LE(sweep, time("rule")) << "seed " << seed;
    double min_time = std::numeric_limits<double>::infinity();
    for (int split = 0; split <= 4; ++split)
      min_time = std::min(min_time, time(std::to_string(split)));
    EXPECT_EQ(sweep, min_time) << "seed " << seed;
  }
}

TEST(TopologyNetwork, WithoutForwardingPairsNeedCircuits) {
  const CircuitFabric fabric = topoopt(", degree: 1, forwarding: false", 3);
  const TopologySetup found = provision_topology(fabric, {3, {}, {{0, 1, {5}}, {0, 2, {4}}}});
  EXPECT_EQ(why(found.setup.infeasible),
            "1 of 2 pairs that exchange data have no circuit, such as 0 -> 2, and devices do not "
            "forward; forwarding, or a larger degree is needed");
}

TEST(TopologyNetwork, DuplexPlanesThatCannotBePatchedAreRefused) {
  const CircuitFabric fabric = topoopt(", degree: 2, wiring: duplex, duplex_planes: true", 5);
  const TopologySetup found = provision_topology(fabric, {5, {{{0, 1, 2, 3, 4}, {1000}}}, {}});
  EXPECT_EQ(why(found.setup.infeasible),
            "the circuits take 3 duplex planes and there are 2: a cycle of an odd number of "
            "devices takes three; duplex_planes: false, or groups of even size, is needed");
}

TEST(TopologyNetwork, RefusesContradictingSettings) {
  EXPECT_EQ(
      refusal(", split: 5"),
      "test.yaml:1: fabric.split is 5; auto, rule, sweep, or an integer from 0 to 4 is needed");
  EXPECT_EQ(
      refusal(", split: best"),
      "test.yaml:1: fabric.split is best; auto, rule, sweep, or an integer from 0 to 4 is needed");
  EXPECT_EQ(refusal(", duplex_planes: true"),
            "test.yaml:1: fabric.duplex_planes is true; its circuits come in pairs; wiring: duplex "
            "is needed");
  EXPECT_EQ(refusal(", forwarding: false, forwarding_rate: 1 Gbps"),
            "test.yaml:1: fabric.forwarding_rate is 1 Gbps; devices do not forward; forwarding: "
            "true is needed");
}

// All simple paths, by number of links.
void all_paths(const Graph& graph, NodeId node, NodeId target, std::vector<bool>& seen, Path& path,
               std::vector<Path>& found) {
  if (node == target) {
    found.push_back(path);
    return;
  }
  for (const LinkId link : graph.leaving(node)) {
    const NodeId next = graph.links[static_cast<std::size_t>(link)].to;
    if (seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    path.push_back(link);
    all_paths(graph, next, target, seen, path, found);
    path.pop_back();
    seen[static_cast<std::size_t>(next)] = false;
  }
}

TEST(BalancedRoutes, AreTheShortestOfAllSimplePaths) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 63);
    const int devices = 3 + static_cast<int>(random(5));
    const CircuitFabric fabric = topoopt(", degree: 2", devices);
    const Network network =
        provision_topology(fabric, random_demand(random, devices)).setup.network;
    const Graph graph = graph_of(network, true);
    const Distances distances = distances_to(graph, NodeId(1), {});
    std::vector<Path> expected;
    Path path;
    std::vector<bool> seen(static_cast<std::size_t>(devices), false);
    seen[0] = true;
    all_paths(graph, NodeId(0), NodeId(1), seen, path, expected);
    std::stable_sort(expected.begin(), expected.end(),
                     [](const Path& a, const Path& b) { return a.size() < b.size(); });
    const std::size_t longest = expected.empty() ? 0 : expected.front().size() + 2;
    std::erase_if(expected, [&](const Path& it) { return it.size() > longest; });
    expected.resize(std::min<std::size_t>(expected.size(), 8));
    EXPECT_EQ(k_shortest_paths(graph, distances, NodeId(0), NodeId(1), 8), expected);
  }
}

}  // namespace
}  // namespace loom::fabric
