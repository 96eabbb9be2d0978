// Compares the bound with every topology of a handful of servers.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "loom/base/random.h"
#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/bounds/traffic_bound.h"
#include "loom/plan/bounds/workload_bound.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

using Permutation = std::vector<int>;

// Permutations without fixed points: no server sends to itself.
std::vector<Permutation> derangements(int n) {
  Permutation it(static_cast<std::size_t>(n));
  std::iota(it.begin(), it.end(), 0);
  std::vector<Permutation> found;
  do {
    bool fixed = false;
    for (int i = 0; i < n; ++i) fixed = fixed || it[static_cast<std::size_t>(i)] == i;
    if (!fixed) found.push_back(it);
  } while (std::next_permutation(it.begin(), it.end()));
  return found;
}

fabric::CircuitFabric fabric_of(int n, int degree) {
  fabric::CircuitFabric fabric;
  fabric.limits = fabric::OcsLimits{.devices = n, .switches = degree, .ports = n};
  fabric.circuit = 10_Gbps;
  fabric.egress = {degree * fabric.circuit.bits_per_second};
  return fabric;
}

fabric::Network network_of(int n, const std::vector<const Permutation*>& planes) {
  fabric::Circuits circuits;
  for (std::size_t p = 0; p < planes.size(); ++p) {
    for (int i = 0; i < n; ++i) {
      circuits.push_back({i, (*planes[p])[static_cast<std::size_t>(i)], static_cast<int>(p), 0});
    }
  }
  std::sort(circuits.begin(), circuits.end());
  return circuit_network(fabric_of(n, static_cast<int>(planes.size())), by_pair(circuits));
}

Bytes random_size(Random& random) { return {std::int64_t{1000} * random(1000)}; }

void add_collective(workload::Workload& it, workload::CollectiveKind kind,
                    workload::Algorithm algorithm, Random& random) {
  std::vector<int> ranks(static_cast<std::size_t>(it.devices));
  std::iota(ranks.begin(), ranks.end(), 0);
  for (std::size_t i = ranks.size(); i > 1; --i) {
    std::swap(ranks[i - 1], ranks[random(static_cast<std::uint32_t>(i))]);
  }
  ranks.resize(2 + random(static_cast<std::uint32_t>(it.devices - 1)));
  workload::Collective wanted;
  wanted.kind = kind;
  wanted.algorithm = algorithm;
  wanted.size = random_size(random);
  workload::Operation op;
  op.kind = workload::OperationKind::collective;
  op.groups = static_cast<int>(it.groups.size());
  op.collective = static_cast<int>(it.collectives.size());
  it.groups.push_back({static_cast<int>(ranks.size()), ranks});
  it.collectives.push_back(wanted);
  it.operations.push_back(op);
}

// Random messages, collectives and computations, some of which depend on an earlier one.
workload::Workload random_workload(int n, Random& random) {
  workload::Workload it;
  it.devices = n;
  const auto count = 1 + random(8);
  for (std::uint32_t o = 0; o < count; ++o) {
    switch (random(5)) {
      case 0:
        add_collective(it, workload::CollectiveKind::all_reduce, workload::Algorithm::ring, random);
        break;
      case 1:
        add_collective(it,
                       random(2) == 0 ? workload::CollectiveKind::all_gather
                                      : workload::CollectiveKind::reduce_scatter,
                       workload::Algorithm::ring, random);
        break;
      case 2: {
        workload::Operation op;
        op.kind = workload::OperationKind::compute;
        op.groups = static_cast<int>(it.groups.size());
        op.time = 1_us * random(500);
        it.groups.push_back({1, {static_cast<int>(random(static_cast<std::uint32_t>(n)))}});
        it.operations.push_back(op);
        break;
      }
      default: {
        workload::Operation op;
        op.source = static_cast<int>(random(static_cast<std::uint32_t>(n)));
        op.destination =
            (op.source + 1 + static_cast<int>(random(static_cast<std::uint32_t>(n - 1)))) % n;
        op.size = random_size(random);
        it.operations.push_back(op);
      }
    }
    workload::Operation& last = it.operations.back();
    last.first_after = static_cast<std::uint32_t>(it.after.size());
    if (o > 0 && random(2) == 0) {
      it.after.push_back(random(o));
      last.after_count = 1;
    }
  }
  return it;
}

// The shortest time over all strongly connected topologies.
Duration best_time(const workload::Workload& workload, int degree,
                   const std::vector<Permutation>& permutations) {
  Duration best = kForever;
  const auto consider = [&](const std::vector<const Permutation*>& planes) {
    const fabric::Network network = network_of(workload.devices, planes);
    for (int from = 0; from < workload.devices; ++from) {
      for (int to = 0; to < workload.devices; ++to) {
        fabric::Route route;
        if (from != to && !network.router->find(DeviceId(from), DeviceId(to), 0, {}, route)) return;
      }
    }
    best = std::min(best, simulate::simulate_fluid(workload, network, {}, {}).completion_time);
  };
  for (std::size_t a = 0; a < permutations.size(); ++a) {
    if (degree == 1) consider({&permutations[a]});
    for (std::size_t b = a; degree == 2 && b < permutations.size(); ++b) {
      consider({&permutations[a], &permutations[b]});
    }
  }
  return best;
}

TEST(CircuitsBound, NoTopologyIsFaster) {
  constexpr std::uint64_t kSeed = 20230417;
  double nearest = 0;  // max fraction of the best time that the bound reaches
  for (const auto& [n, degree, cases] :
       {std::tuple{3, 1, 60}, std::tuple{3, 2, 60}, std::tuple{4, 1, 60}, std::tuple{4, 2, 40},
        std::tuple{5, 1, 30}, std::tuple{5, 2, 4}, std::tuple{6, 1, 8}}) {
    const std::vector<Permutation> permutations = derangements(n);
    Random random = random_stream(kSeed, std::uint64_t{10} * static_cast<std::uint64_t>(n) +
                                             static_cast<std::uint64_t>(degree));
    for (int i = 0; i < cases; ++i) {
      const workload::Workload workload = random_workload(n, random);
      const Duration bound = workload_bound(workload, capacity_of(fabric_of(n, degree))).time();
      const Duration best = best_time(workload, degree, permutations);
      EXPECT_LE(bound, best) << "seed " << kSeed << ", " << n << " servers of degree " << degree
                             << ", case " << i << "\n"
                             << to_text(workload);
      if (best.count() > 0) {
        nearest = std::max(nearest,
                           static_cast<double>(bound.count()) / static_cast<double>(best.count()));
      }
    }
  }
  EXPECT_GT(nearest, 0.999) << "the bound is tight for some case";
}

TEST(CircuitsBound, HopsFollowMoore) {
  // Two at distance one, four at two, one more at three.
  EXPECT_EQ(min_byte_hops({1, 1, 1, 1, 1, 1, 1}, 2), 2 * 1 + 4 * 2 + 1 * 3);
  // The largest take the shortest path.
  EXPECT_EQ(min_byte_hops({1, 100, 10}, 1), 100 * 1 + 10 * 2 + 1 * 3);
  EXPECT_EQ(min_byte_hops({}, 4), 0);
}

TEST(CircuitsBound, ARingOfAllServersAttainsTheBound) {
  workload::Collective all;
  all.size = 6'000_KB;
  const workload::Workload workload = collective_workload(all, {0, 1, 2, 3, 4, 5}, 6);
  const WorkloadBound bound = workload_bound(workload, capacity_of(fabric_of(6, 1)));
  EXPECT_NEAR(static_cast<double>(bound.hops.count()), 8e9, 1e3);  // 10 MB at 10 Gbps
  const Permutation ring = {1, 2, 3, 4, 5, 0};
  const Duration time =
      simulate::simulate_fluid(workload, network_of(6, {&ring}), {}, {}).completion_time;
  EXPECT_LE(bound.time(), time);
  EXPECT_LE((time - bound.time()).count(), 10'000'000);
}

TEST(CircuitsBound, ComputationsThatWaitForEachOtherAreAdded) {
  workload::Workload it;
  it.devices = 2;
  it.groups = {{1, {0}}, {1, {1}}};
  workload::Operation first;
  first.kind = workload::OperationKind::compute;
  first.groups = 0;
  first.time = 5_us;
  workload::Operation message;
  message.source = 0;
  message.destination = 1;
  message.size = 1_B;
  message.after_count = 1;
  workload::Operation second = first;
  second.groups = 1;
  second.first_after = 1;
  second.after_count = 1;
  it.operations = {first, message, second};
  it.after = {0, 1};
  const WorkloadBound bound = workload_bound(it, capacity_of(fabric_of(2, 1)));
  EXPECT_EQ(bound.computation, 5_us);
  EXPECT_EQ(bound.chain, 10_us + Duration(799));  // a byte at 10 Gbps, rounded down
}

TEST(CircuitsBound, OnlyServersHaveLinks) {
  workload::Collective all;
  all.size = 6'000_KB;
  workload::Workload workload = collective_workload(all, {0, 1, 2, 3, 4, 5}, 6);
  const Capacity capacity = capacity_of(fabric_of(6, 1));
  const Duration hops = workload_bound(workload, capacity).hops;
  workload.devices = 20;  // the others only compute
  EXPECT_EQ(workload_bound(workload, capacity).hops, hops);
}

}  // namespace
}  // namespace loom::plan
