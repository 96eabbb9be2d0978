// Algorithms chosen together against those chosen one by one.
#include "loom/plan/choose_together.h"

#include <gtest/gtest.h>

#include "loom/run/testing.h"

namespace loom {
namespace {

plan::ShardedJob job_of(const run::RandomJob& random, plan::NetworkProvider& provider) {
  return shard_job(random.spec, random.strategy, provider);
}

Duration fluid_time(const plan::ShardedJob& job) {
  const place::LoweredJob& lowered = job.mapped.lowered;
  return plan::iteration_time(
      lowered,
      simulate::simulate_fluid(lowered.workload, *job.mapped.network, {}, {}).operation_end);
}

TEST(ChooseTogether, TheIterationIsNeverSlowerThanWithAlgorithmsChosenOneByOne) {
  int switched = 0;
  for (std::uint64_t seed = 9000; seed < 9150; ++seed) {
    run::RandomJob random = run::random_job(seed);
    plan::FixedNetworkProvider provider(std::make_shared<fabric::Network>(random.network),
                                        std::nullopt);
    plan::ShardedJob job = job_of(random, provider);
    const Duration isolated = fluid_time(job);
    if (!choose_together(provider, job)) continue;
    ++switched;
    EXPECT_LT(seconds(fluid_time(job)), 1.002 * seconds(isolated))
        << "seed " << seed << ": " << to_text(random);
  }
  EXPECT_GT(switched, 0);
}

TEST(ChooseTogether, AGivenAlgorithmStays) {
  for (std::uint64_t seed = 9000; seed < 9030; ++seed) {
    run::RandomJob random = run::random_job(seed);
    plan::FixedNetworkProvider provider(std::make_shared<fabric::Network>(random.network),
                                        workload::Algorithm::ring);
    plan::ShardedJob job = job_of(random, provider);
    EXPECT_FALSE(choose_together(provider, job));
  }
}

}  // namespace
}  // namespace loom
