// Lower bounds against the fluid engine: random strategies, and plans on every kind of fabric.
#include "loom/run/plan_bound.h"

#include <gtest/gtest.h>

#include "loom/plan/bounds/iteration_bound.h"
#include "loom/plan/bounds/workload_bound.h"
#include "loom/run/run.h"
#include "loom/run/testing.h"

namespace loom::run {
namespace {

TEST(IterationBound, HoldsForRandomStrategies) {
  double nearest = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const RandomJob job = random_job(seed);
    const parallelize::ShardedModel sharded = job.sharded();
    const plan::Capacity capacity = plan::capacity_of(job.network);
    constexpr int kIterations = 3;
    const JobRun run = run_job(sharded, job.network, By::fluid, {}, kIterations);
    const Duration chain = chain_of_iteration(sharded, capacity);
    const Duration traffic = traffic_of_iteration(sharded, capacity);
    const double limit = seconds(run.outcome.completion_time) / kIterations * (1 + 1e-9);
    EXPECT_LE(seconds(chain), limit) << "chain, seed " << seed << ": " << to_text(job);
    EXPECT_LE(seconds(traffic), limit) << "traffic, seed " << seed << ": " << to_text(job);
    const plan::WorkloadBound whole = workload_bound(run.job.workload, capacity);
    EXPECT_LE(whole.time(), run.outcome.completion_time) << "seed " << seed << ": " << to_text(job);
    nearest = std::max(nearest, seconds(chain) / limit);
  }
  EXPECT_GT(nearest, 0.98);
}

Report run_on(const std::string& work, const std::string& fabric) {
  const std::string text =
      "workload: {" + work + "}\ngpus: 8\naccelerator: a100\nfabric: {" + fabric + "}\n";
  return run::run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
}

constexpr std::array kFabrics = {
    "kind: switch, bandwidth: 100 Gbps",
    "kind: torus, shape: 2x4, bandwidth: 50 Gbps",
    "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, oversubscription: 2, bandwidth: 100 Gbps",
    "kind: cluster, gpus_per_server: 4, inside_bandwidth: 2400 Gbps, bandwidth: 100 Gbps",
    "kind: oddl, bandwidth: 100 Gbps, latency: 1 us",
    "kind: rotornet, switches: 2, bandwidth: 100 Gbps",
    "kind: sip_ocs, switches: 3, bandwidth: 100 Gbps, latency: 1 us",
    "kind: sip_ocs, switches: 2, bandwidth: 100 Gbps, reconfigure: phases, switch_time: 1 us",
    "kind: sip_ocs, switches: 2, bandwidth: 100 Gbps, reconfigure: periodic, switch_time: 1 us, "
    "period: 100 us",
    "kind: sip_ring, bandwidth: 100 Gbps, reach: 3, latency: 1 us",
    "kind: sip_ring, bandwidth: 100 Gbps, direction: unidirectional",
    "kind: sip_ring, bandwidth: 400 Gbps, reuse: false, fibers: 1",
    "kind: mordia, bandwidth: 100 Gbps",
    "kind: megaswitch, bandwidth: 100 Gbps",
    "kind: helios, bandwidth: 100 Gbps, switches: 2",
    "kind: topoopt, degree: 3, bandwidth: 100 Gbps",
};

TEST(PlanBound, EveryPlanHasOneOnEveryFabric) {
  for (const char* fabric : kFabrics) {
    for (const char* work :
         {"model: mlp, inputs: 1024, widths: 4096x4096x8192x1024, batch: 512",
          "model: transformer, layers: 4, hidden: 512, heads: 8, vocabulary: 8000, sequence: 128, "
          "batch: 32",
          "model: transformer, layers: 4, hidden: 256, heads: 8, vocabulary: 8000, sequence: 128, "
          "experts: 4, chosen_experts: 2, batch: 16"}) {
      const Report report = run_on(work, fabric);
      if (!report.ended()) continue;
      ASSERT_TRUE(report.bound && report.bound->any_strategy) << work << " on " << fabric;
      const Duration time = report.time();
      EXPECT_GE(gap(time, report.bound->time()), 0.99) << work << " on " << fabric;
      EXPECT_LE(report.bound->time() * report.as<TrainingReport>()->iterations,
                report.outcome.completion_time)
          << work << " on " << fabric;
      EXPECT_LE(*report.bound->any_strategy, report.bound->time()) << work << " on " << fabric;
      EXPECT_GT(report.bound->any_strategy->count(), 0) << work << " on " << fabric;
    }
    if (std::string_view(fabric).find("phases") != std::string_view::npos) continue;
    for (const char* work :
         {"collective: all_reduce, size: 8 MB", "collective: all_to_all, size: 8 MB"}) {
      const Report report = run_on(work, fabric);
      if (!report.ended()) continue;
      ASSERT_TRUE(report.bound) << work << " on " << fabric;
      EXPECT_GE(gap(report.time(), report.bound->time()), 1) << work << " on " << fabric;
      EXPECT_LE(gap(report.time(), report.bound->time()), 15) << work << " on " << fabric;
    }
  }
}

TEST(PlanBound, OfAllStrategiesIsBelowThatOfEachGivenOne) {
  const std::string fabric = "kind: sip_ocs, switches: 3, bandwidth: 100 Gbps";
  const std::string job = "model: mlp, inputs: 1024, widths: 4096x4096x8192x1024, batch: 512";
  const Report all = run_on(job, fabric);
  for (const char* strategy : {", tensor: 2, data: 4, pipeline: 1",
                               ", data: 8, tensor: 1, "
                               "pipeline: 1",
                               ", pipeline: 2, data: 2, tensor: 2"}) {
    const Report one = run_on(job + strategy, fabric);
    if (!one.ended()) continue;
    EXPECT_LE(*all.bound->any_strategy, *one.bound->any_strategy) << strategy;
    EXPECT_LE(*all.bound->any_strategy, one.time()) << strategy;
  }
}

TEST(PlanBound, RandomComputationTimesHaveNone) {
  const std::string text =
      "workload: {model: resnet-50, batch: 64}\ngpus: 8\naccelerator: a100\njitter: 0.1\n"
      "fabric: {kind: switch, bandwidth: 100 Gbps}\n";
  const Report report = run::run(scenario::read_scenarios(parse_yaml(text, "s.yaml"), {}).front());
  EXPECT_TRUE(report.ended());
  EXPECT_FALSE(report.bound);
}

}  // namespace
}  // namespace loom::run
