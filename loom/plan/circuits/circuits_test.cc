// Planning of jobs on circuits that are provisioned for them.
#include <algorithm>

#include "loom/base/testing.h"
#include "loom/fabric/testing.h"
#include "loom/parallelize/testing.h"
#include "loom/plan/auto_planner.h"
#include "loom/plan/bound_strategy.h"
#include "loom/plan/circuits/circuit_phases.h"
#include "loom/plan/strategies.h"

namespace loom::plan {
namespace {

fabric::CircuitFabric circuits_of(const std::string& text, int devices) {
  return fabric::build_circuits(fabric::read_fabric(parse_yaml("{" + text + "}", "test.yaml")),
                                {devices, 1});
}

JobSpec small_spec(int batch) {
  JobSpec spec;
  spec.model = parallelize::small_transformer(4);
  spec.job.batch = batch;
  spec.accelerator = parallelize::small_accelerator();
  spec.choice.zero = 1;
  spec.choice.context = 1;
  spec.choice.recompute = parallelize::Recompute::none;
  return spec;
}

std::vector<std::string> samples() {
  return {"kind: sip_ocs, switches: 4, bandwidth: 200 Gbps, latency: 1 us",
          "kind: sip_ring, bandwidth: 200 Gbps, latency: 1 us",
          "kind: sip_ring, bandwidth: 200 Gbps, reach: 3, latency: 1 us"};
}

TEST(CircuitPlans, TheBestStrategyHasTheMinEstimateOfAll) {
  for (const std::string& sample : samples()) {
    SCOPED_TRACE(sample);
    const JobSpec spec = small_spec(16);
    CircuitProvider provider(circuits_of(sample, 8), std::nullopt);
    const StrategySearch search = search_strategies(spec, provider);
    ASSERT_FALSE(search.ranking.empty()) << why(search.objection);
    CircuitProvider other(circuits_of(sample, 8), std::nullopt);
    Duration best = kForever;
    for (const parallelize::Strategy& it : possible_strategies(spec, 8).all) {
      best = std::min(best, estimate_strategy(spec, it, other));
    }
    EXPECT_EQ(search.ranking.front().predicted, best);
  }
}

// Ring collectives are limited by their slowest pair: with the circuits to itself none is slower.
TEST(CircuitPlans, NoEstimateIsBelowItsLowerBound) {
  for (const std::string& sample : samples()) {
    const JobSpec spec = small_spec(16);
    CircuitProvider provider(circuits_of(sample, 8), std::nullopt);
    for (const parallelize::Strategy& it : possible_strategies(spec, 8).all) {
      SCOPED_TRACE(sample + ": " + to_text(it));
      const parallelize::ShardedModel sharded =
          shard(spec.model, spec.job, it, spec.accelerator, {});
      const ShardedJob job = shard_job(spec, it, provider);
      const Duration predicted = estimate_strategy(spec, it, provider);
      EXPECT_LE(bound_strategy(sharded, provider), predicted);
      EXPECT_LE(job.lower_bound, predicted);
    }
  }
}

TEST(CircuitPlans, WithoutForwardingEveryPairHasItsOwnCircuits) {
  for (const std::string& sample : samples()) {
    SCOPED_TRACE(sample);
    JobSpec spec = small_spec(16);
    spec.choice.planner = &kAutoPlanner;
    CircuitProvider provider(circuits_of(sample + ", forwarding: false", 8), std::nullopt);
    const StrategySearch search = search_strategies(spec, provider);
    ASSERT_FALSE(search.ranking.empty()) << why(search.objection);
    for (const RankedStrategy& it : search.ranking) {
      if (it.predicted.count() == 0) continue;
      const ShardedJob job = shard_job(spec, it.strategy, provider);
      EXPECT_TRUE(job.mapped.provisioned->unserved.empty()) << to_text(it.strategy);
      EXPECT_LE(job.peak_memory(), spec.accelerator.memory);
    }
  }
}

TEST(CircuitPlans, DevicesForwardWhereTheyMay) {
  JobSpec spec = small_spec(16);
  spec.choice.tensor = 8;
  spec.algorithm = workload::Algorithm::direct;
  const std::string ocs = "kind: sip_ocs, switches: 4, bandwidth: 200 Gbps";
  CircuitProvider provider(circuits_of(ocs, 8), spec.algorithm);
  EXPECT_FALSE(search_strategies(spec, provider).ranking.empty());
  spec.choice.tensor = 1;
  spec.choice.pipeline = 2;  // four devices apart
  spec.choice.order = parallelize::Strategy{}.order;
  const std::string ring = "kind: sip_ring, bandwidth: 200 Gbps, reach: 3, forwarding: ";
  CircuitProvider may(circuits_of(ring + "true", 8), std::nullopt);
  EXPECT_FALSE(search_strategies(spec, may).ranking.empty());
  CircuitProvider may_not(circuits_of(ring + "false", 8), std::nullopt);
  const StrategySearch none = search_strategies(spec, may_not);
  EXPECT_TRUE(none.ranking.empty());
  EXPECT_NE(why(none.objection).find("is beyond the reach of 3 segments"), std::string::npos)
      << why(none.objection);
}

place::LoweredJob phased_job(const fabric::CircuitFabric& fabric) {
  JobSpec spec = small_spec(8);
  spec.job.overlap_gradients = false;
  CircuitProvider provider(fabric, std::nullopt);
  const parallelize::Strategy strategy{.tensor = 4, .data = 2, .micro_batch = 4, .zero = 1};
  return shard_job(spec, strategy, provider).mapped.lowered;
}

TEST(CircuitPhases, ChangeCircuitsOnlyWhereThatGains) {
  const std::string ocs = "kind: sip_ocs, switches: 4, bandwidth: 40 Gbps, switch_time: ";
  Duration before{0};
  for (const std::string delay : {"0 ns", "1 us", "100 us", "10 ms", "1 s"}) {
    SCOPED_TRACE(delay);
    const fabric::CircuitFabric fabric = circuits_of(ocs + delay, 8);
    const PhasedPlan plan = plan_phases(fabric, phased_job(fabric));
    EXPECT_LE(plan.iteration, plan.one_set);
    EXPECT_GE(plan.iteration, before);
    EXPECT_GE(plan.tried, 2U);
    before = plan.iteration;
    EXPECT_TRUE(delay != "0 ns" || plan.iteration < plan.one_set);
    EXPECT_TRUE(delay != "1 s" || plan.phases.sets.size() == 1);
    for (const fabric::Circuits& set : plan.phases.sets)
      EXPECT_EQ(why(violation(fabric, set)), "no objection");
    EXPECT_EQ(plan.provisioned.circuits, plan.phases.sets.front());
  }
}

TEST(Batches, TheChosenOneEndsTrainingFirst) {
  JobSpec spec = small_spec(1);
  spec.law = model::AccuracyLaw{.iterations = model::CriticalBatch{1000, 64}};
  FixedNetworkProvider provider(std::make_shared<fabric::Network>(fabric::fabric_of(
                                    "kind: switch, bandwidth: 10 Gbps, latency: 5 us", 4)),
                                std::nullopt);
  JobSpec chosen = spec;
  const StrategySearch search = search_batches(chosen, provider);
  ASSERT_FALSE(search.ranking.empty());
  const auto whole = [&](std::int64_t batch, Duration iteration) {
    return Int128{iterations_to_accuracy(*spec.law, batch)} * iteration.count();
  };
  const Int128 taken = whole(chosen.job.batch, search.ranking.front().predicted);
  for (int power = 0; power <= 12; ++power) {
    spec.job.batch = std::int64_t{1} << power;
    const StrategySearch other = search_strategies(spec, provider);
    if (other.ranking.empty()) continue;
    EXPECT_LE(taken, whole(spec.job.batch, other.ranking.front().predicted)) << spec.job.batch;
  }
}

}  // namespace
}  // namespace loom::plan
