#include "loom/model/profiled_graph.h"

#include <gtest/gtest.h>

#include "loom/base/error.h"
#include "loom/base/testing.h"

namespace loom::model {
namespace {

ProfiledGraph graph_of(std::vector<int> batches, std::vector<Duration> times,
                       std::vector<Bytes> outputs) {
  ProfiledGraph graph;
  graph.batches = std::move(batches);
  graph.operators = {{"a", {}, std::move(times), std::move(outputs)}};
  graph.variables = {{"v", graph.operators.front().outputs, {0}, {0}}};
  return graph;
}

TEST(ProfiledGraph, MeasuredBatchesAreInterpolatedAndTheLastLineExtrapolated) {
  const ProfiledGraph graph = graph_of({2, 4, 8}, {100_us, 120_us, 200_us}, {10_B, 20_B, 40_B});
  EXPECT_EQ(graph.time(0, 0.5), 100_us);
  EXPECT_EQ(graph.time(0, 2), 100_us);
  EXPECT_EQ(graph.time(0, 3), 110_us);
  EXPECT_EQ(graph.time(0, 4), 120_us);
  EXPECT_EQ(graph.time(0, 6), 160_us);
  EXPECT_EQ(graph.time(0, 16), 360_us);
  EXPECT_EQ(graph.output(0, 3), 15_B);
  EXPECT_EQ(graph.output(0, 16), 80_B);
  EXPECT_EQ(graph.size(0, 6), 30_B);
}

TEST(ProfiledGraph, ATimeThatFallsWithTheBatchEndsAtZero) {
  EXPECT_EQ(graph_of({1, 2}, {9_us, 3_us}, {1_B, 1_B}).time(0, 4), 0_us);
}

TEST(ProfiledGraph, OneMeasuredBatchDoesNotCoverALargerOne) {
  const ProfiledGraph graph = graph_of({4}, {9_us}, {1_B});
  EXPECT_EQ(why(graph.objection(4)), "no objection");
  EXPECT_EQ(why(graph.objection(4.5)),
            "the only measured batch is 4; a batch of 4.5 needs a second measurement");
  EXPECT_EQ(graph.time(0, 1), 9_us);
  EXPECT_THROW(graph.time(0, 5), std::logic_error);
}

TEST(ProfiledGraph, AnOverflowingBatchIsALimitError) {
  EXPECT_THROW(graph_of({1, 2}, {1_us, 90_us}, {1_B, 1_B}).time(0, 1e12), LimitError);
}

TEST(ProfiledGraph, AnOutputThatGrowsWithTheBatchHasSamples) {
  EXPECT_TRUE(graph_of({1, 2}, {1_us, 1_us}, {1_B, 2_B}).output_has_samples(0));
  EXPECT_FALSE(graph_of({1, 2}, {1_us, 2_us}, {8_B, 8_B}).output_has_samples(0));
  EXPECT_FALSE(graph_of({1}, {1_us}, {8_B}).output_has_samples(0));
}

}  // namespace
}  // namespace loom::model
