#include "loom/workload/collective.h"

#include <gtest/gtest.h>

#include "loom/base/testing.h"

namespace loom::workload {
namespace {

Collective all_reduce(Bytes size) { return {.size = size}; }

TEST(Collective, NamesParseBack) {
  for (const std::string_view name : kCollectiveNames) {
    ASSERT_TRUE(parse_collective(name));
    EXPECT_EQ(name_of(*parse_collective(name)), name);
  }
  for (const std::string_view name : kAlgorithmNames) {
    ASSERT_TRUE(parse_algorithm(name));
    EXPECT_EQ(name_of(*parse_algorithm(name)), name);
  }
  EXPECT_FALSE(parse_collective("allreduce"));
  EXPECT_FALSE(parse_algorithm(""));
}

TEST(Collective, TreeIsShortForDoubleBinaryTree) {
  EXPECT_EQ(parse_algorithm("tree"), Algorithm::double_binary_tree);
}

TEST(Collective, EveryAlgorithmImplementsSomeKind) {
  std::vector<bool> served(kAlgorithmNames.size(), false);
  for (std::size_t kind = 0; kind < kCollectiveNames.size(); ++kind) {
    for (const Algorithm algorithm : algorithms_for(static_cast<CollectiveKind>(kind))) {
      served[static_cast<std::size_t>(algorithm)] = true;
    }
  }
  EXPECT_EQ(served, std::vector<bool>(served.size(), true));
}

TEST(Collective, AnAlgorithmThatDoesNotImplementTheKindIsRefused) {
  EXPECT_EQ(why(objection({CollectiveKind::all_to_all, Algorithm::ring, 1_KB}, 4)),
            "all_to_all by ring; one of direct, pairwise, hierarchical is needed");
  EXPECT_EQ(why(objection({CollectiveKind::point_to_point, Algorithm::ring, 1_KB}, 2)),
            "point_to_point by ring; direct is needed");
}

TEST(Collective, RingsNeedStepsThatVisitAllRanks) {
  Collective rings{.algorithm = Algorithm::rings, .size = 1_KB};
  EXPECT_EQ(why(objection(rings, 8)), "steps is empty; the step of each ring is needed");
  rings.steps = {1, 6};
  EXPECT_EQ(
      why(objection(rings, 8)),
      "steps is 1 6, and step 6 does not visit all 8 ranks; numbers from 1 to 7 coprime to 8 are "
      "needed");
  rings.steps = {1, 3, 5};
  EXPECT_EQ(why(objection(rings, 8)), "no objection");
  rings.algorithm = Algorithm::ring;
  EXPECT_EQ(why(objection(rings, 8)), "steps with ring; only rings has steps");
}

TEST(Collective, OneRankIsEnoughExceptForPointToPoint) {
  EXPECT_EQ(why(objection(all_reduce(1_KB), 1)), "no objection");
  EXPECT_EQ(why(objection(all_reduce(1_KB), 0)), "0 ranks; from 1 to 1048576 are needed");
  EXPECT_EQ(why(objection({CollectiveKind::point_to_point, Algorithm::direct, 1_KB}, 1)),
            "point_to_point over 1 ranks; exactly 2 are needed");
  EXPECT_EQ(why(objection({CollectiveKind::point_to_point, Algorithm::direct, 1_KB}, 3)),
            "point_to_point over 3 ranks; exactly 2 are needed");
}

TEST(Collective, ChunksAreBounded) {
  Collective collective = all_reduce(1_KB);
  collective.chunks = 0;
  EXPECT_EQ(why(objection(collective, 4)), "chunks is 0; from 1 to 65536 are needed");
  collective.chunks = 65537;
  EXPECT_EQ(why(objection(collective, 4)), "chunks is 65537; from 1 to 65536 are needed");
  collective.chunks = 1024;
  EXPECT_EQ(why(objection(collective, 1 << 20)),
            "chunks is 1024; with 1048576 ranks at most 512 are possible");
}

TEST(Collective, TheProductOfLevelsIsTheNumberOfRanks) {
  Collective collective = {CollectiveKind::all_reduce, Algorithm::hierarchical, 1_KB};
  EXPECT_EQ(why(objection(collective, 8)),
            "levels is empty; numbers whose product is 8 are needed");
  collective.levels = {4, 3};
  EXPECT_EQ(why(objection(collective, 8)), "levels is 4x3; numbers whose product is 8 are needed");
  collective.levels = {8, 0};
  EXPECT_EQ(why(objection(collective, 8)), "a level of 0 ranks; at least 1 is needed");
  collective.levels = {1'000'000'000, 1'000'000'000, 1'000'000'000};
  EXPECT_EQ(why(objection(collective, 8)),
            "levels is 1000000000x1000000000x1000000000; numbers whose product is 8 are needed");
  collective.levels = {4, 1, 2};
  EXPECT_EQ(why(objection(collective, 8)), "no objection");
}

TEST(Collective, OnlyHierarchicalHasLevels) {
  Collective collective = all_reduce(1_KB);
  collective.levels = {2, 2};
  EXPECT_EQ(why(objection(collective, 4)), "levels with ring; only hierarchical has levels");
}

TEST(Collective, UnequalSizesAreForAllToAllByDirectOrPairwise) {
  Collective collective = {CollectiveKind::all_to_all, Algorithm::pairwise, 3_B};
  collective.sizes = {0_B, 1_B, 2_B, 3_B};
  EXPECT_EQ(why(objection(collective, 2)), "no objection");
  EXPECT_EQ(why(objection(collective, 3)), "4 sizes; 3 ranks need 9");
  collective.sizes[1] = {-1};
  EXPECT_EQ(why(objection(collective, 2)), "size is -1 B; from 0 B to 1 PB is needed");
  collective.kind = CollectiveKind::all_reduce;
  collective.algorithm = Algorithm::ring;
  EXPECT_EQ(
      why(objection(collective, 2)),
      "all_reduce by ring cannot have unequal sizes; only all_to_all by direct or pairwise can");
}

TEST(Collective, AnObjectionNamesTheMemberAtFault) {
  const auto key = [](const Collective& collective, int ranks) {
    const auto no = objection(collective, ranks);
    return no ? no->key : "no objection";
  };
  EXPECT_EQ(key(all_reduce(1_KB), 4), "no objection");
  EXPECT_EQ(key(all_reduce({-1}), 4), "size");
  EXPECT_EQ(key({.chunks = 0}, 4), "chunks");
  EXPECT_EQ(key({.algorithm = Algorithm::pairwise}, 4), "algorithm");
  EXPECT_EQ(key({.algorithm = Algorithm::rings, .steps = {2}}, 4), "steps");
  EXPECT_EQ(key({.algorithm = Algorithm::ring, .steps = {1}}, 4), "algorithm");
  EXPECT_EQ(key({.algorithm = Algorithm::hierarchical, .levels = {3}}, 4), "levels");
  EXPECT_EQ(key({.algorithm = Algorithm::ring, .levels = {4}}, 4), "algorithm");
  Collective exchange{.kind = CollectiveKind::all_to_all, .algorithm = Algorithm::direct};
  exchange.sizes = {1_B};
  EXPECT_EQ(key(exchange, 4), "sizes");
  exchange.sizes.assign(16, Bytes{-1});
  EXPECT_EQ(key(exchange, 4), "sizes");
}

TEST(Collective, QuadraticSchedulesAreBounded) {
  EXPECT_EQ(why(objection({CollectiveKind::all_to_all, Algorithm::direct, 1_KB}, 4096)),
            "no objection");
  EXPECT_EQ(why(objection({CollectiveKind::all_to_all, Algorithm::direct, 1_KB}, 8192)),
            "all_to_all by direct among 8192 ranks takes 67108864 channels; at most 16777216 are "
            "possible");
  EXPECT_EQ(why(objection({CollectiveKind::broadcast, Algorithm::direct, 1_KB}, 8192)),
            "no objection");
  Collective hierarchical = {CollectiveKind::all_to_all, Algorithm::hierarchical, 1_KB};
  hierarchical.levels = {64, 128};
  EXPECT_EQ(why(objection(hierarchical, 8192)), "no objection");
}

TEST(Collective, SizesAreBounded) {
  EXPECT_EQ(why(objection(all_reduce({-1}), 2)), "size is -1 B; from 0 B to 1 PB is needed");
  EXPECT_EQ(why(objection(all_reduce(kLargestSize + 1_B), 2)),
            "size is 1000000000000001 B; from 0 B to 1 PB is needed");
}

// nccl-tests, doc/PERFORMANCE.md.
TEST(Collective, BandwidthsAreThoseOfNcclTests) {
  const auto bus = [](CollectiveKind kind, int ranks) {
    return bus_bandwidth({.kind = kind, .size = 1_GB}, ranks, 80_ms);
  };
  EXPECT_EQ(algorithm_bandwidth(all_reduce(1_GB), 80_ms), 100_Gbps);
  EXPECT_EQ(bus(CollectiveKind::all_reduce, 4), 150_Gbps);
  EXPECT_EQ(bus(CollectiveKind::reduce_scatter, 4), 75_Gbps);
  EXPECT_EQ(bus(CollectiveKind::all_gather, 4), 75_Gbps);
  EXPECT_EQ(bus(CollectiveKind::all_to_all, 4), 75_Gbps);
  EXPECT_EQ(bus(CollectiveKind::broadcast, 4), 100_Gbps);
  EXPECT_EQ(bus(CollectiveKind::point_to_point, 2), 100_Gbps);
}

TEST(Collective, BandwidthsAreRoundedDownOnceAndNeverOverflow) {
  EXPECT_EQ(bus_bandwidth(all_reduce(1_B), 3, Duration(1'000'000'000'000)), Bandwidth{10});
  EXPECT_EQ(bus_bandwidth(all_reduce(kLargestSize), 1 << 20, 1_ps).bits_per_second,
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(algorithm_bandwidth(all_reduce(1_GB), Duration(0)), Bandwidth{0});
}

}  // namespace
}  // namespace loom::workload
