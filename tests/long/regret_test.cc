// The strategy that the planner chooses against all others, each simulated by the fluid engine; and
// cases in which a strategy given by hand once beat the search.
#include <numeric>

#include "loom/plan/strategy_planner.h"
#include "loom/run/testing.h"
#include "tests/long/random_scenarios.h"

namespace loom {
namespace {

Duration fluid_time(const plan::MappedJob& job) {
  return plan::simulated_time(job, {.messages = 1'000'000'000}).value_or(kForever);
}

// Everything is searched, orders of ranks included.
run::RandomJob searched_job(std::uint64_t seed) {
  run::RandomJob job = run::random_job(seed);
  job.spec.accelerator.memory = 100'000_GB;  // only speed is compared
  job.spec.choice.context = 1;
  job.spec.choice.zero = 1;
  job.spec.choice.sequence_parallel = true;
  return job;
}

Duration best_of_all(const run::RandomJob& job,
                     const std::vector<parallelize::Strategy>& strategies) {
  plan::FixedNetworkProvider provider(std::make_shared<fabric::Network>(job.network),
                                      job.spec.algorithm);
  Duration best = kForever;
  for (const parallelize::Strategy& it : strategies) {
    best = std::min(best, fluid_time(shard_job(job.spec, it, provider).mapped));
  }
  return best;
}

// The time of the plan, which tries orders on the best strategies of the usual order only.
Duration planned_time(run::RandomJob job) {
  job.spec.choice.order = parallelize::Strategy{}.order;
  job.spec.choice.reorder = true;
  plan::PlanRequest request;
  request.spec = job.spec;
  request.network = std::make_shared<fabric::Network>(job.network);
  return fluid_time(plan::plan_by_strategy_search(std::move(request)).mapped);
}

TEST(Regret, ThePlanIsNearTheBestOfAllStrategiesInAllOrders) {
  constexpr std::size_t kJobs = 60;
  std::vector<double> regrets;
  for (std::uint64_t seed = 6000; regrets.size() < kJobs; ++seed) {
    const run::RandomJob job = searched_job(seed);
    const std::vector<parallelize::Strategy> all =
        possible_strategies(job.spec, job.network.devices).all;
    if (all.size() < 4 || all.size() > 400) continue;
    const double regret = seconds(planned_time(job)) / seconds(best_of_all(job, all)) - 1;
    EXPECT_LE(regret, 0.05) << "seed " << seed << ": " << to_text(job);
    if (regret > 0.001) {
      fmt::print("seed {}: {} strategies, {:.2f} % above the best; {}\n", seed, all.size(),
                 100 * regret, to_text(job));
    }
    regrets.push_back(regret);
  }
  std::sort(regrets.begin(), regrets.end());
  const double mean = std::accumulate(regrets.begin(), regrets.end(), 0.0) / kJobs;
  fmt::print("regret: mean {:.2f} %, largest {:.2f} %\n", 100 * mean, 100 * regrets.back());
  EXPECT_LE(regrets[kJobs * 95 / 100], 0.02);
}

struct GivenByHand {
  std::string job;
  int gpus = 0;
  std::string accelerator;
  std::string fabric;
  std::string strategy;
};

TEST(Regret, StrategiesThatOnceBeatTheSearchDoNoMore) {
  const std::vector<GivenByHand> cases = {
      {"model: resnet-50, batch: 65536", 2048, "a100",
       "kind: switch, bandwidth: 400 Gbps, latency: 1 us", "tensor: 1, pipeline: 1"},
      {"model: megatron-8.3b, batch: 64", 32, "v100",
       "kind: oddl, bandwidth: 100 Gbps, latency: 1 us", "tensor: 1, pipeline: 4"},
      {"model: llama3-8b, batch: 32", 32, "a100",
       "kind: sip_ring, bandwidth: 400 Gbps, reach: 16, latency: 1 us",
       "tensor: 1, pipeline: 2, interleave: 1"},
  };
  for (const GivenByHand& it : cases) {
    const auto text = [&](const std::string& strategy) {
      return fmt::format("workload: {{{}{}}}\ngpus: {}\naccelerator: {}\nfabric: {{{}}}\n", it.job,
                         strategy, it.gpus, it.accelerator, it.fabric);
    };
    const auto searched = report_of(text(""));
    const auto given = report_of(text(", " + it.strategy));
    ASSERT_TRUE(searched && given) << it.job;
    EXPECT_LE(seconds(searched->time()), 1.02 * seconds(given->time())) << it.job;
  }
}

// With fewer uplinks the job once became faster, since an algorithm that the search chose crowded
// out other traffic.
TEST(Regret, OversubscriptionNeverSpeedsUpARecommender) {
  Duration before{0};
  for (const std::string fabric :
       {"kind: switch, bandwidth: 400 Gbps, latency: 500 ns",
        "kind: fat_tree, radix: 32, bandwidth: 400 Gbps, latency: 500 ns, oversubscription: 2",
        "kind: fat_tree, radix: 32, bandwidth: 400 Gbps, latency: 500 ns, oversubscription: 8"}) {
    const auto report =
        report_of("workload: {model: dlrm, batch: 16384}\ngpus: 256\naccelerator: a100\nfabric: {" +
                  fabric + "}\n");
    ASSERT_TRUE(report.has_value());
    EXPECT_GE(seconds(report->time()), 0.99 * seconds(before)) << fabric;
    before = report->time();
  }
}

}  // namespace
}  // namespace loom
