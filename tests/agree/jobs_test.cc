// The coarse engine against the fluid one on complete training jobs: the error of the predicted
// iteration time, and the quality of the strategy ranked first.
//
// docs/validation.md has the numbers printed here.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "loom/run/testing.h"

namespace loom {
namespace {

Duration iteration(const run::RandomJob& job, const parallelize::Strategy& strategy,
                   run::By engine) {
  plan::JobCollectives collectives(job.network, std::nullopt);
  const parallelize::ShardedModel sharded =
      shard(job.spec.model, job.spec.job, strategy, job.spec.accelerator, {});
  const place::LoweredJob lowered = place::lower(
      sharded, 2, [&](const workload::Collective& wanted, const workload::Groups& groups) {
        return collectives.choose(wanted, groups).collective;
      });
  const simulate::Outcome outcome =
      engine == run::By::fluid ? simulate::simulate_fluid(lowered.workload, job.network, {}, {})
                               : simulate::simulate_coarse(lowered.workload, job.network, {});
  EXPECT_FALSE(outcome.deadlock.has_value());
  return plan::iteration_time(lowered, outcome.operation_end);
}

double error(Duration coarse, Duration fluid) {
  return static_cast<double>(coarse.count()) / static_cast<double>(fluid.count()) - 1;
}

double quantile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

struct Spread {
  double mean = 0;
  double median = 0;
  double p95 = 0;
  double max = 0;
  double signed_mean = 0;
};

Spread spread_of(const std::vector<double>& errors) {
  std::vector<double> sizes;
  Spread it;
  for (const double one : errors) {
    sizes.push_back(std::abs(one));
    it.mean += std::abs(one) / static_cast<double>(errors.size());
    it.signed_mean += one / static_cast<double>(errors.size());
  }
  it.median = quantile(sizes, 0.5);
  it.p95 = quantile(sizes, 0.95);
  it.max = quantile(sizes, 1);
  return it;
}

void print(const std::string& what, const std::vector<double>& errors) {
  const Spread it = spread_of(errors);
  fmt::print(
      "{:24} {:4} jobs: |error| mean {:6.2f} %, p50 {:6.2f} %, p95 {:6.2f} %, max {:6.2f} "
      "%; signed mean {:+.2f} %\n",
      what, errors.size(), 100 * it.mean, 100 * it.median, 100 * it.p95, 100 * it.max,
      100 * it.signed_mean);
}

// A message without dependents keeps the coarse engine from folding: it simulates every device.
// Then each group is a flow of its own instead of all groups together.
TEST(Jobs, FoldingChangesTheEstimateLittle) {
  for (std::uint64_t seed = 7000; seed < 7100; ++seed) {
    const run::RandomJob job = run::random_job(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ": " << to_text(job));
    plan::JobCollectives collectives(job.network, std::nullopt);
    workload::Workload workload =
        place::lower(job.sharded(), 2,
                     [&](const workload::Collective& wanted, const workload::Groups& groups) {
                       return collectives.choose(wanted, groups).collective;
                     })
            .workload;
    const simulate::Outcome folded = simulate::simulate_coarse(workload, job.network, {});
    workload::Operation message;
    message.source = 0;
    message.destination = 1;
    message.size = 1_B;
    workload.operations.push_back(message);
    simulate::Outcome followed = simulate::simulate_coarse(workload, job.network, {});
    followed.operation_end.pop_back();
    EXPECT_NEAR(seconds(folded.completion_time), seconds(followed.completion_time),
                0.05 * seconds(followed.completion_time));
  }
}

// ZeRO-3 gathers weights while it scatters gradients over the same links.
TEST(Jobs, TheCoarseEnginePredictsAnIteration) {
  std::vector<double> lower_zero;
  std::vector<double> zero_three;
  std::map<std::string, std::vector<double>> by_fabric;
  std::map<std::string, std::vector<double>> by_model;
  for (std::uint64_t seed = 5000; seed < 5400; ++seed) {
    const run::RandomJob job = run::random_job(seed);
    const double one = error(iteration(job, job.strategy, run::By::coarse),
                             iteration(job, job.strategy, run::By::fluid));
    const bool three = job.strategy.zero == 3;
    EXPECT_LE(std::abs(one), 0.05) << "seed " << seed << ": " << to_text(job);
    (three ? zero_three : lower_zero).push_back(one);
    if (three) continue;
    by_fabric[job.fabric.substr(6, job.fabric.find(',') - 6)].push_back(one);
    by_model[job.spec.model.name].push_back(one);
  }
  print("zero 0 to 2", lower_zero);
  print("zero 3", zero_three);
  for (const auto& [name, errors] : by_fabric) print(name, errors);
  for (const auto& [name, errors] : by_model) print(name, errors);
  EXPECT_LE(spread_of(lower_zero).mean, 0.002);
  EXPECT_LE(spread_of(lower_zero).p95, 0.005);
  EXPECT_LE(spread_of(zero_three).mean, 0.002);
  EXPECT_LE(spread_of(zero_three).p95, 0.005);
}

TEST(Jobs, TheStrategyRankedFirstIsNearOptimal) {
  std::vector<double> regrets;
  for (std::uint64_t seed = 6000; regrets.size() < 30; ++seed) {
    run::RandomJob job = run::random_job(seed);
    job.spec.accelerator.memory = 100'000_GB;  // only speed is compared
    job.spec.choice.zero = 1;
    job.spec.choice.recompute = parallelize::Recompute::none;
    job.spec.choice.order = parallelize::Strategy{}.order;
    job.spec.choice.context = 1;
    job.spec.choice.sequence_parallel = true;
    const std::vector<parallelize::Strategy> all =
        possible_strategies(job.spec, job.network.devices).all;
    if (all.size() < 4 || all.size() > 120) continue;
    plan::FixedNetworkProvider provider(std::make_shared<fabric::Network>(job.network),
                                        job.spec.algorithm);
    plan::StrategySearch search = search_strategies(job.spec, provider);
    confirm_first(job.spec, provider, {2'000'000}, search);
    const Duration taken = iteration(job, search.ranking.front().strategy, run::By::fluid);
    Duration best = kForever;  // by the fluid engine
    for (const parallelize::Strategy& it : all)
      best = std::min(best, iteration(job, it, run::By::fluid));
    regrets.push_back(error(taken, best));
    fmt::print("seed {}: {} strategies, first is {:.2f} % above the best; {}\n", seed, all.size(),
               100 * regrets.back(), to_text(job));
  }
  EXPECT_LE(quantile(regrets, 1), 0.03);
}

}  // namespace
}  // namespace loom
