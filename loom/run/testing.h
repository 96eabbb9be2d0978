// For tests: runs a job and records all its rank tasks; generates random jobs.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "loom/base/random.h"
#include "loom/fabric/testing.h"
#include "loom/parallelize/testing.h"
#include "loom/plan/strategies.h"
#include "loom/run/trace/explain.h"

namespace loom::run {

enum class By : std::uint8_t { coarse, fluid };

struct JobRun {
  place::LoweredJob job;
  simulate::Outcome outcome;
  Explanation explanation;

  Duration iteration() const { return plan::iteration_time(job, outcome.operation_end); }
};

inline JobRun run_job(const parallelize::ShardedModel& sharded, const fabric::Network& network,
                      By engine, simulate::EngineOptions options = {}, int iterations = 2) {
  plan::JobCollectives collectives(network, std::nullopt);
  JobRun run;
  run.job = place::lower(sharded, iterations,
                         [&](const workload::Collective& wanted, const workload::Groups& groups) {
                           return collectives.choose(wanted, groups).collective;
                         });
  RankTaskLog log;
  options.observer = &log;
  run.outcome = engine == By::fluid ? simulate_fluid(run.job.workload, network, {}, options)
                                    : simulate_coarse(run.job.workload, network, options);
  EXPECT_FALSE(run.outcome.deadlock.has_value());
  run.explanation = explain(run.job, run.job.workload, log);
  return run;
}

// A random job with a random strategy; sampled again until the strategy is feasible.
struct RandomJob {
  plan::JobSpec spec;
  parallelize::Strategy strategy;
  std::string fabric;
  fabric::Network network;

  parallelize::ShardedModel sharded() const {
    return shard(spec.model, spec.job, strategy, spec.accelerator, spec.measured);
  }
};

inline model::Model random_model(Random& random) {
  switch (random(5)) {
    case 0:
      return parallelize::small_transformer(4, random(2) == 0 ? "" : ", attention: fused");
    case 1:
      return parallelize::small_mixture(2);
    case 2:
      return model::model_of("model: mlp, inputs: 512, widths: 512x512x512x128x4096x4096");
    case 3:
      return model::model_of("model: resnet-50, image: 64");
    default:
      return model::model_of("model: dlrm");
  }
}

inline std::string random_fabric(Random& random, int& devices) {
  constexpr std::array kBandwidths = {"10 Gbps", "50 Gbps", "100 Gbps", "400 Gbps"};
  constexpr std::array kLatencies = {"0 ns", "500 ns", "5 us"};
  const std::string links =
      fmt::format("bandwidth: {}, latency: {}", kBandwidths[random(4)], kLatencies[random(3)]);
  switch (random(5)) {
    case 0:
      devices = 2 + static_cast<int>(random(7));
      return "kind: switch, " + links;
    case 1:
      devices = 4 * (1 + static_cast<int>(random(4)));
      return "kind: cluster, gpus_per_server: 4, inside_bandwidth: 2400 Gbps, inside_latency: 500 "
             "ns, " +
             links;
    case 2:
      devices = 16;
      return "kind: fat_tree, radix: 4, " + links;
    case 3:
      devices = 8;
      return "kind: torus, shape: 2x4, " + links;
    default:
      devices = 4 * (2 + static_cast<int>(random(3)));
      return "kind: leaf_spine, gpus_per_leaf: 4, spines: 2, " + links;
  }
}

// Samples each dimension from the divisors of the number of devices. Many combinations are
// infeasible.
inline parallelize::Strategy random_strategy(Random& random, int devices) {
  const auto divisor = [&](int of) {
    int it = 0;
    do it = 1 + static_cast<int>(random(static_cast<std::uint32_t>(of)));
    while (of % it != 0);
    return it;
  };
  parallelize::Strategy it;
  it.tensor = divisor(devices);
  it.pipeline = divisor(devices / it.tensor);
  it.context = random(3) == 0 ? divisor(devices / it.tensor / it.pipeline) : 1;
  it.data = devices / it.tensor / it.pipeline / it.context;
  it.expert = random(2) == 0 ? divisor(it.data) : 1;
  it.micro_batch = 1 << random(4);
  it.interleave = it.pipeline > 1 && random(2) == 0 ? 2 + static_cast<int>(random(2)) : 1;
  it.schedule = it.interleave > 1 ? parallelize::PipelineSchedule::interleaved
                                  : static_cast<parallelize::PipelineSchedule>(random(2));
  it.zero = it.data * it.context > 1 ? static_cast<int>(random(4)) : 0;
  it.sequence_parallel = it.tensor > 1 && random(2) == 0;
  it.recompute = static_cast<parallelize::Recompute>(random(3));
  for (std::uint32_t i = 4; i > 0 && random(2) == 0; --i) {
    std::swap(it.order[i], it.order[random(i + 1)]);
  }
  return it;
}

inline RandomJob random_job(std::uint64_t seed) {
  Random random = random_stream(seed, 11);
  RandomJob it;
  int devices = 0;
  it.fabric = random_fabric(random, devices);
  it.network = fabric::fabric_of(it.fabric, devices);
  it.spec.model = random_model(random);
  it.spec.job.batch = std::int64_t{2} * devices;
  it.spec.job.overlap_gradients = random(4) > 0;
  it.spec.job.overlap_pipeline = random(4) > 0;
  it.spec.job.bucket = random(2) == 0 ? 1_MB : 25_MiB;
  it.spec.accelerator = parallelize::small_accelerator();
  constexpr std::array<std::int64_t, 3> kSpeeds = {1, 10, 100};
  const std::int64_t speed = kSpeeds[random(3)];
  it.spec.accelerator.peak.fill({speed * 1'000'000'000'000});
  it.spec.accelerator.memory_bandwidth = {speed * 80'000'000'000};
  do it.strategy = random_strategy(random, devices);
  while (objection(it.spec.model, it.spec.job, it.strategy));
  return it;
}

inline std::string to_text(const RandomJob& it) {
  return fmt::format("{} by {} on {} devices, {}", it.spec.model.name, to_text(it.strategy),
                     it.network.devices, it.fabric);
}

}  // namespace loom::run
