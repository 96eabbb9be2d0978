// Checks the choice of `auto` against estimates of every algorithm computed here.
#include "loom/plan/choose_collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "loom/base/random.h"
#include "loom/base/testing.h"
#include "loom/fabric/testing.h"
#include "loom/simulate/engine.h"
#include "loom/simulate/isolated_times.h"

namespace loom::plan {
namespace {

std::vector<int> first_devices(int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

const char* const kFabrics[] = {
    "kind: switch, bandwidth: 400 Gbps, latency: 1 us",
    "kind: cluster, gpus_per_server: 4, inside_bandwidth: 2 Tbps, bandwidth: 100 Gbps, latency: 3 "
    "us",
    "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, bandwidth: 100 Gbps, oversubscription: 4, "
    "latency: 1 us",
    "kind: rail, gpus_per_server: 4, inside_bandwidth: 2 Tbps, bandwidth: 100 Gbps, latency: 3 us",
    "kind: torus, shape: 4x4, bandwidth: 100 Gbps, latency: 1 us",
    "kind: full_mesh, egress: 1 Tbps, latency: 1 us",
};

constexpr workload::CollectiveKind kKinds[] = {
    workload::CollectiveKind::all_reduce, workload::CollectiveKind::reduce_scatter,
    workload::CollectiveKind::all_gather, workload::CollectiveKind::all_to_all,
    workload::CollectiveKind::broadcast};

// The time of the fastest algorithm, found without the search.
Duration fastest_by_hand(workload::CollectiveKind kind, Bytes size,
                         const fabric::Network& network) {
  const int ranks = network.devices;
  Duration fastest = kForever;
  for (std::size_t a = 0; a < workload::kAlgorithmNames.size(); ++a) {
    workload::Collective collective{
        .kind = kind, .algorithm = static_cast<workload::Algorithm>(a), .size = size};
    if (collective.algorithm == workload::Algorithm::hierarchical)
      collective.levels = network.levels;
    if (objection(collective, ranks)) continue;
    const workload::Workload workload =
        collective_workload(collective, first_devices(ranks), ranks);
    fastest = std::min(fastest, simulate::simulate_coarse(workload, network, {}).completion_time);
  }
  return fastest;
}

TEST(ChooseCollective, TheChoiceIsTheFastestOfAllAlgorithms) {
  for (const char* fabric : kFabrics) {
    const fabric::Network network = fabric::fabric_of(fabric, 16);
    for (const workload::CollectiveKind kind : kKinds) {
      for (const Bytes size : {0_B, 1_B, 10_KB, 1_MB, 1_GB}) {
        const auto estimates =
            estimate_algorithms({.kind = kind, .size = size}, first_devices(16), network);
        ASSERT_FALSE(estimates.empty());
        EXPECT_EQ(estimates.front().predicted, fastest_by_hand(kind, size, network))
            << fabric << ": " << name_of(kind) << " of " << exact(size);
      }
    }
  }
}

TEST(ChooseCollective, EveryAlgorithmThatFitsIsEstimatedOnceFastestFirst) {
  const fabric::Network network = fabric::fabric_of(kFabrics[1], 16);
  const auto estimates = estimate_algorithms({.size = 1_MB}, first_devices(16), network);
  std::vector<workload::Algorithm> estimated;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    estimated.push_back(estimates[i].collective.algorithm);
    EXPECT_GE(estimates[i].predicted, estimates[i == 0 ? 0 : i - 1].predicted);
  }
  std::vector<workload::Algorithm> fit = algorithms_for(workload::CollectiveKind::all_reduce);
  std::erase(fit, workload::Algorithm::rings);  // needs explicit rings
  std::erase(fit, workload::Algorithm::line);   // the network has switches
  EXPECT_THAT(estimated, ::testing::UnorderedElementsAreArray(fit));
}

// A row of a mesh, without the links that would close it to a ring: a ring sends everything twice.
TEST(ChooseCollective, AnAllReduceOnARowOfDevicesTakesALine) {
  const fabric::Network network =
      fabric::fabric_of("kind: torus, shape: 16, bandwidth: 100 Gbps, latency: 500 ns", 16);
  const workload::Groups both{8, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
  simulate::IsolatedTimes times(network);
  const workload::Collective wanted{.size = 1_GB, .chunks = kAnyChunks};
  const auto estimates = estimate_algorithms(wanted, both, network, times, 10);
  EXPECT_EQ(estimates.front().collective.algorithm, workload::Algorithm::line);
  EXPECT_GT(estimates.front().collective.chunks, 1);
}

TEST(ChooseCollective, TiesGoToTheSimplerAlgorithm) {
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 400 Gbps", 2);
  const auto estimates = estimate_algorithms({.size = 1_MB}, first_devices(2), network);
  EXPECT_EQ(estimates.front().collective.algorithm, workload::Algorithm::ring);
}

TEST(ChooseCollective, AlgorithmsThatDoNotFitAreNotEstimated) {
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 400 Gbps", 6);
  for (const auto& it : estimate_algorithms({.size = 1_MB}, first_devices(6), network)) {
    EXPECT_NE(it.collective.algorithm, workload::Algorithm::hierarchical)
        << "a switch has no levels";
    EXPECT_EQ(why(objection(it.collective, 6)), "no objection");
  }
}

TEST(ChooseCollective, GivenLevelsAreKept) {
  const fabric::Network network = fabric::fabric_of(kFabrics[1], 16);
  bool seen = false;
  for (const auto& it :
       estimate_algorithms({.size = 1_MB, .levels = {2, 8}}, first_devices(16), network)) {
    if (it.collective.algorithm != workload::Algorithm::hierarchical) continue;
    EXPECT_EQ(it.collective.levels, (std::vector<int>{2, 8}));
    seen = true;
  }
  EXPECT_TRUE(seen);
}

TEST(ChooseCollective, UnequalSizesNeedDirectOrPairwise) {
  const fabric::Network network = fabric::fabric_of("kind: switch, bandwidth: 400 Gbps", 2);
  const auto estimates = estimate_algorithms(
      {.kind = workload::CollectiveKind::all_to_all, .sizes = {0_B, 1_MB, 2_MB, 0_B}},
      first_devices(2), network);
  ASSERT_EQ(estimates.size(), 2U);
  EXPECT_EQ(estimates[0].predicted, transfer_time(2_MB, 400_Gbps));
}

// A chain or a tree that forwards chunk by chunk keeps all links busy.
TEST(ChooseCollective, ABroadcastReachesTheLineRateWithChunks) {
  const fabric::Network network =
      fabric::fabric_of("kind: switch, bandwidth: 400 Gbps, latency: 1 us", 64);
  workload::Collective wanted{.kind = workload::CollectiveKind::broadcast, .size = 1_GB};
  const Duration line = Duration(20'000'000'000);
  EXPECT_GT(estimate_algorithms(wanted, first_devices(64), network).front().predicted, 4 * line);
  wanted.chunks = kAnyChunks;
  const auto estimates = estimate_algorithms(wanted, first_devices(64), network);
  EXPECT_LT(seconds(estimates.front().predicted), 1.02 * seconds(line));
  ASSERT_EQ(estimates.size(), algorithms_for(wanted.kind).size()) << "one estimate per algorithm";
  for (const AlgorithmEstimate& it : estimates) {
    EXPECT_EQ(it.collective.chunks > 1, it.collective.algorithm != workload::Algorithm::direct);
  }
}

TEST(ChooseCollective, ChunksAreChosenOnCircuitsToo) {
  const fabric::CircuitFabric circuits = fabric::build_circuits(
      fabric::read_fabric(parse_yaml("{kind: sip_ocs, switches: 4, bandwidth: 400 Gbps, "
                                     "latency: 1 us}",
                                     "test.yaml")),
      {16, 1});
  workload::Collective wanted{.kind = workload::CollectiveKind::broadcast, .size = 1_GB};
  const Duration one = estimate_algorithms(wanted, first_devices(16), circuits).front().predicted;
  wanted.chunks = kAnyChunks;
  const auto any = estimate_algorithms(wanted, first_devices(16), circuits);
  EXPECT_LT(any.front().predicted, one / 2);
}

// Algorithms that a bound rules out are not estimated; those that may be near the fastest are.
TEST(ChooseCollective, NoAlgorithmNearTheFastestIsLeftOut) {
  const fabric::Network network = fabric::fabric_of(
      "kind: random_regular, degree: 4, gpus_per_switch: 0, routing: split, egress: 400 Gbps, "
      "latency: 1 us",
      32);
  std::size_t left_out = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random = random_stream(seed, 5);
    std::vector<int> ranks = first_devices(32);
    std::shuffle(ranks.begin(), ranks.end(), random);
    ranks.resize(2 + random(31));
    const workload::Groups groups{static_cast<int>(ranks.size()), ranks};
    const workload::Collective wanted{.kind = kKinds[random(std::size(kKinds))],
                                      .size = Bytes{std::int64_t{1} << random(30)},
                                      .chunks = kAnyChunks};
    const auto all = estimate_algorithms(wanted, ranks, network);
    for (const double within : {1.0, 1.5}) {
      simulate::IsolatedTimes times(network);
      const auto some = estimate_algorithms(wanted, groups, network, times, within);
      left_out += all.size() - some.size();
      ASSERT_LE(some.size(), all.size());
      for (std::size_t a = 0; a < all.size(); ++a) {
        if (seconds(all[a].predicted) > within * seconds(all.front().predicted)) break;
        ASSERT_LT(a, some.size());
        EXPECT_EQ(some[a].predicted, all[a].predicted);
        EXPECT_EQ(some[a].collective, all[a].collective);
      }
    }
  }
  EXPECT_GT(left_out, 40U);
}

}  // namespace
}  // namespace loom::plan
