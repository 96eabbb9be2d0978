// Repeating the last iteration gives the job that lowering with more iterations gives.
#include "loom/place/more_iterations.h"

#include <gtest/gtest.h>

#include "loom/parallelize/testing.h"

namespace loom::place {
namespace {

LoweredJob lowered(const parallelize::Strategy& strategy, int iterations) {
  parallelize::Job job;
  job.batch = 64;
  const parallelize::ShardedModel sharded =
      shard(parallelize::small_transformer(4), job, strategy, parallelize::small_accelerator(), {});
  return lower(sharded, iterations,
               [](const workload::Collective& wanted, const workload::Groups&) { return wanted; });
}

const parallelize::Strategy kStrategies[] = {
    {.data = 4},
    {.tensor = 2, .data = 2, .zero = 3},
    {.tensor = 2, .data = 2, .pipeline = 2, .micro_batch = 4},
    {.data = 2,
     .pipeline = 2,
     .micro_batch = 2,
     .interleave = 2,
     .schedule = parallelize::PipelineSchedule::interleaved,
     .zero = 2}};

TEST(MoreIterations, AreThoseOfLoweringWithMoreIterations) {
  for (const parallelize::Strategy& strategy : kStrategies) {
    for (const int from : {2, 3}) {
      const LoweredJob few = lowered(strategy, from);
      const LoweredJob many = lowered(strategy, 6);
      const auto repeated = more_iterations(few.workload, few.tags, 6);
      ASSERT_TRUE(repeated.has_value()) << to_text(strategy);
      EXPECT_EQ(repeated->workload, many.workload) << to_text(strategy);
      EXPECT_EQ(repeated->iterations, 6);
    }
  }
}

TEST(MoreIterations, NeedTwoToTellHowTheyFollowEachOther) {
  const LoweredJob one = lowered({.data = 4}, 1);
  EXPECT_FALSE(more_iterations(one.workload, one.tags, 2).has_value());
}

}  // namespace
}  // namespace loom::place
