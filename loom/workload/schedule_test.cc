// The structure of schedules and the bytes they move; schedule_proof_test.cc proves their
// correctness.
#include "loom/workload/schedule.h"

#include <gtest/gtest.h>

#include <set>

#include "loom/base/error.h"

namespace loom::workload {
namespace {

Bytes sum_of_messages(const Schedule& schedule) {
  Bytes total{0};
  for (const Phase& phase : schedule.phases) {
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      for (int q = 0; q < phase.messages(c); ++q) total += phase.size(c, q);
    }
  }
  return total;
}

struct Traffic {
  std::vector<Bytes> out;
  std::vector<Bytes> in;
};

Traffic traffic_by_rank(const Schedule& schedule) {
  const auto ranks = static_cast<std::size_t>(schedule.ranks);
  Traffic traffic{std::vector<Bytes>(ranks), std::vector<Bytes>(ranks)};
  for (const Phase& phase : schedule.phases) {
    for (int c = 0; c < static_cast<int>(phase.channels.size()); ++c) {
      const Channel& channel = phase.channels[static_cast<std::size_t>(c)];
      for (int q = 0; q < phase.messages(c); ++q) {
        traffic.out[static_cast<std::size_t>(channel.source)] += phase.size(c, q);
        traffic.in[static_cast<std::size_t>(channel.destination)] += phase.size(c, q);
      }
    }
  }
  return traffic;
}

// Expects every rank to send and receive this many bytes.
void expect_each(const Collective& collective, int ranks, Bytes each) {
  SCOPED_TRACE(std::string(name_of(collective.kind)) + " by " +
               std::string(name_of(collective.algorithm)));
  const Schedule steps = schedule(collective, ranks);
  const Traffic traffic = traffic_by_rank(steps);
  const std::vector<Bytes> expected(static_cast<std::size_t>(ranks), each);
  EXPECT_EQ(traffic.out, expected);
  EXPECT_EQ(traffic.in, expected);
  EXPECT_EQ(total_bytes(steps).count, each.count * ranks);
}

std::vector<std::pair<int, int>> edges(const Phase& phase) {
  std::vector<std::pair<int, int>> pairs;
  for (const Channel& channel : phase.channels) {
    pairs.emplace_back(channel.source, channel.destination);
  }
  return pairs;
}

TEST(Schedule, ReductionsAndGathersMoveTheMinimumNumberOfBytes) {
  using enum workload::Algorithm;
  for (const Algorithm algorithm : {ring, bidirectional_ring, halving_doubling, direct}) {
    expect_each({CollectiveKind::all_reduce, algorithm, 1600_B}, 8, 2800_B);
    expect_each({CollectiveKind::reduce_scatter, algorithm, 1600_B}, 8, 1400_B);
    expect_each({CollectiveKind::all_gather, algorithm, 1600_B}, 8, 1400_B);
  }
  for (const CollectiveKind kind : {CollectiveKind::reduce_scatter, CollectiveKind::all_gather}) {
    expect_each({kind, hierarchical, 1600_B, 1, {2, 4}, {}}, 8, 1400_B);
  }
  expect_each({CollectiveKind::all_reduce, hierarchical, 1600_B, 3, {4, 2}, {}}, 8, 2800_B);
}

TEST(Schedule, AllToAllSendsEveryRankItsBlock) {
  expect_each({CollectiveKind::all_to_all, Algorithm::direct, 1600_B}, 8, 1400_B);
  expect_each({CollectiveKind::all_to_all, Algorithm::pairwise, 1600_B}, 8, 1400_B);
}

TEST(Schedule, HierarchicalAllToAllMovesDataOncePerLevel) {
  expect_each({CollectiveKind::all_to_all, Algorithm::hierarchical, 1600_B, 1, {2, 4}, {}}, 8,
              {1600 / 2 + 1600 * 3 / 4});
}

TEST(Schedule, ARingHasOneChannelPerRank) {
  const Schedule steps = schedule({.size = 30_B, .chunks = 2}, 3);
  ASSERT_EQ(steps.phases.size(), 1U);
  const Phase& phase = steps.phases[0];
  EXPECT_EQ(edges(phase), (std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(phase.blocks, 3);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(phase.channels[static_cast<std::size_t>(c)].first, c);
    EXPECT_EQ(phase.messages(c), 8);
    ASSERT_EQ(phase.waits_of(c).size(), 1U);
    EXPECT_EQ(phase.waits_of(c)[0].channel, (c + 2) % 3);
    EXPECT_EQ(phase.waits_of(c)[0].lag, 2);
  }
}

TEST(Schedule, AMessageIsAChunkOfItsStepsBlock) {
  const Schedule steps = schedule({.size = 11_B, .chunks = 3}, 3);  // blocks of 4, 4 and 3 bytes
  const Phase& phase = steps.phases[0];
  std::vector<std::int64_t> sizes;
  for (int q = 0; q < phase.messages(2); ++q) sizes.push_back(phase.size(2, q).count);
  EXPECT_EQ(sizes, (std::vector<std::int64_t>{1, 1, 1, 2, 1, 1, 2, 1, 1, 1, 1, 1}));
}

TEST(Schedule, TheTreesAreThoseOfNccl) {
  const Schedule steps =
      schedule({CollectiveKind::all_reduce, Algorithm::double_binary_tree, 2_KB}, 12);
  const std::vector<std::pair<int, int>> first_tree_up = {
      {1, 2}, {2, 4}, {3, 2}, {4, 8}, {5, 6}, {6, 4}, {7, 6}, {8, 0}, {9, 10}, {10, 8}, {11, 10}};
  const std::vector<std::pair<int, int>> second_tree_up = {
      {0, 1}, {1, 3}, {2, 1}, {3, 11}, {4, 5}, {5, 7}, {6, 5}, {7, 3}, {8, 9}, {9, 7}, {10, 9}};
  const auto pairs = edges(steps.phases.at(0));
  ASSERT_EQ(pairs.size(), 44U);
  EXPECT_TRUE(std::equal(first_tree_up.begin(), first_tree_up.end(), pairs.begin()));
  EXPECT_TRUE(std::equal(second_tree_up.begin(), second_tree_up.end(), pairs.begin() + 22));
}

// Sanders, Speck, Träff: no rank sends or receives more than twice the buffer (reduced, then
// distributed); in a single tree an inner rank would send three times as much as a leaf.
TEST(Schedule, TwoTreesLoadRanksEvenly) {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const Traffic traffic = traffic_by_rank(
        schedule({CollectiveKind::all_reduce, Algorithm::double_binary_tree, 200_B}, ranks));
    EXPECT_LE(*std::max_element(traffic.out.begin(), traffic.out.end()), 400_B) << ranks;
    EXPECT_LE(*std::max_element(traffic.in.begin(), traffic.in.end()), 400_B) << ranks;
  }
}

TEST(Schedule, ATreeBroadcastSendsTheBufferOnceFromEveryRankAtMost) {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const Traffic traffic = traffic_by_rank(
        schedule({CollectiveKind::broadcast, Algorithm::double_binary_tree, 200_B}, ranks));
    EXPECT_EQ(traffic.out[0], 200_B);
    EXPECT_LE(*std::max_element(traffic.out.begin(), traffic.out.end()), 200_B) << ranks;
  }
}

TEST(Schedule, HalvingAndDoublingFoldsRanksBeyondAPowerOfTwo) {
  const Schedule steps =
      schedule({CollectiveKind::all_reduce, Algorithm::halving_doubling, 800_B}, 5);
  EXPECT_EQ(steps.phases.size(), 6U);
  EXPECT_EQ(edges(steps.phases.front()), (std::vector<std::pair<int, int>>{{1, 0}}));
  EXPECT_EQ(edges(steps.phases.back()), (std::vector<std::pair<int, int>>{{0, 1}}));
  EXPECT_EQ(total_bytes(steps).count, 2 * 800 + 4 * 2 * 600);
}

TEST(Schedule, APairwiseAllToAllHasARoundForEveryOtherRank) {
  const Schedule steps = schedule({CollectiveKind::all_to_all, Algorithm::pairwise, 40_B}, 4);
  ASSERT_EQ(steps.phases.size(), 3U);
  EXPECT_EQ(edges(steps.phases[1]),
            (std::vector<std::pair<int, int>>{{0, 2}, {1, 3}, {2, 0}, {3, 1}}));
}

TEST(Schedule, UnequalSizesAreSentUnchanged) {
  Collective collective = {CollectiveKind::all_to_all, Algorithm::direct, 9_B};
  collective.sizes = {100_B, 2_B, 3_B, 4_B, 100_B, 0_B, 7_B, 8_B, 100_B};
  for (const Algorithm algorithm : {Algorithm::direct, Algorithm::pairwise}) {
    collective.algorithm = algorithm;
    const Traffic traffic = traffic_by_rank(schedule(collective, 3));
    EXPECT_EQ(traffic.out, (std::vector<Bytes>{5_B, 4_B, 15_B}));
    EXPECT_EQ(traffic.in, (std::vector<Bytes>{11_B, 10_B, 3_B}));
  }
}

TEST(Schedule, OneRankHasNothingToDo) {
  for (std::size_t kind = 0; kind < kCollectiveNames.size(); ++kind) {
    for (const Algorithm algorithm : algorithms_for(static_cast<CollectiveKind>(kind))) {
      Collective collective = {static_cast<CollectiveKind>(kind), algorithm, 1_KB};
      if (algorithm == Algorithm::hierarchical) collective.levels = {1};
      if (algorithm == Algorithm::rings) collective.steps = {1};
      if (objection(collective, 1)) continue;
      EXPECT_TRUE(schedule(collective, 1).phases.empty());
    }
  }
}

TEST(Schedule, LevelsOfOneRankAreOmitted) {
  const Schedule with =
      schedule({CollectiveKind::all_reduce, Algorithm::hierarchical, 1_KB, 1, {1, 2, 1, 3}, {}}, 6);
  EXPECT_EQ(with.phases.size(), 3U);
}

TEST(Schedule, TheTotalIsTheSumOfTheMessages) {
  for (std::size_t kind = 0; kind < kCollectiveNames.size(); ++kind) {
    for (const Algorithm algorithm : algorithms_for(static_cast<CollectiveKind>(kind))) {
      for (int ranks = 2; ranks <= 12; ranks += 5) {
        Collective collective = {static_cast<CollectiveKind>(kind), algorithm, 997_B, 2};
        if (algorithm == Algorithm::hierarchical) collective.levels = {ranks};
        if (algorithm == Algorithm::rings) collective.steps = {1, ranks - 1};
        if (objection(collective, ranks)) continue;
        const Schedule steps = schedule(collective, ranks);
        EXPECT_EQ(total_bytes(steps), sum_of_messages(steps));
      }
    }
  }
}

TEST(Schedule, ALargeRingTakesLinearMemoryAndItsTotalIsComputedQuickly) {
  const Schedule steps = schedule({.size = 1_GB}, 1 << 20);
  EXPECT_EQ(steps.phases[0].channels.size(), std::size_t{1} << 20);
  EXPECT_EQ(total_bytes(steps).count, 2 * ((std::int64_t{1} << 20) - 1) * 1'000'000'000);
}

TEST(Schedule, ATotalBeyondSixtyThreeBitsIsALimit) {
  const Schedule steps = schedule({.size = kLargestSize}, 1 << 20);
  EXPECT_THROW(total_bytes(steps), LimitError);
}

TEST(Schedule, AnEvenExchangeIsOneChannelForEveryPair) {
  for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter,
                                    CollectiveKind::all_gather, CollectiveKind::all_to_all}) {
    const Collective it{.kind = kind, .algorithm = Algorithm::direct, .size = 70_B, .chunks = 3};
    const Schedule whole = schedule(it, 7);
    const std::optional<Schedule> one = even_exchange(it, 7);
    ASSERT_TRUE(one.has_value());
    ASSERT_EQ(one->phases.size(), whole.phases.size());
    for (std::size_t f = 0; f < whole.phases.size(); ++f) {
      std::set<std::pair<int, int>> pairs;
      for (int c = 0; c < static_cast<int>(whole.phases[f].channels.size()); ++c) {
        const Channel& channel = whole.phases[f].channels[static_cast<std::size_t>(c)];
        EXPECT_TRUE(pairs.insert({channel.source, channel.destination}).second);
        ASSERT_EQ(whole.phases[f].messages(c), one->phases[f].messages(0));
        for (int m = 0; m < whole.phases[f].messages(c); ++m) {
          EXPECT_EQ(whole.phases[f].size(c, m), one->phases[f].size(0, m));
        }
      }
      EXPECT_EQ(pairs.size(), 7U * 6U);
      EXPECT_TRUE(whole.phases[f].waits.empty());
    }
  }
}

TEST(Schedule, UnequalMessagesAreNoEvenExchange) {
  const Collective even{
      .kind = CollectiveKind::all_to_all, .algorithm = Algorithm::direct, .size = 70_B};
  EXPECT_TRUE(even_exchange(even, 7));
  EXPECT_FALSE(even_exchange(even, 8));
  EXPECT_FALSE(even_exchange(even, 1));
  Collective other = even;
  other.sizes.assign(49, 10_B);
  EXPECT_FALSE(even_exchange(other, 7));
  other = even;
  other.kind = CollectiveKind::broadcast;
  EXPECT_FALSE(even_exchange(other, 7));
  other = even;
  other.algorithm = Algorithm::pairwise;
  EXPECT_FALSE(even_exchange(other, 7));
}

}  // namespace
}  // namespace loom::workload
