// Test support for several jobs: small models on a cluster, planned and run together.
#pragma once

#include <string>
#include <vector>

#include "loom/base/testing.h"
#include "loom/fabric/testing.h"
#include "loom/jobs/colocated/plan_jobs.h"
#include "loom/jobs/contention/iteration_times.h"
#include "loom/parallelize/testing.h"

namespace loom::jobs {

// Three kinds of job with different models and batches; all have gradients to reduce.
inline plan::JobSpec small_job(int kind) {
  plan::JobSpec spec;
  switch (kind) {
    case 0:
      spec.model = parallelize::small_transformer(4);
      spec.job.batch = 64;
      break;
    case 1:
      spec.model = model::model_of("model: mlp, inputs: 512, widths: 512x512x512x128x4096x4096");
      spec.job.batch = 48;
      break;
    default:
      spec.model = model::model_of("model: resnet-50, image: 64");
      spec.job.batch = 96;
  }
  spec.accelerator = parallelize::small_accelerator();
  spec.choice.zero = 0;
  spec.choice.context = 1;
  spec.choice.recompute = parallelize::Recompute::none;
  return spec;
}

inline JobRequest request_of(int kind, std::vector<int> devices, Duration start = Duration(0)) {
  return {fmt::format("kind {}", kind), small_job(kind), kind, std::move(devices), start};
}

struct RunJobs {
  std::vector<PlannedJob> jobs;
  MergedJobs merged;
  simulate::Outcome outcome;
  std::vector<std::vector<Duration>> times;  // per job
  std::vector<std::vector<Duration>> isolated;
};

inline RunJobs run_jobs(const std::vector<JobRequest>& requests, const Cluster& cluster,
                        JobPlanOptions options = {}, const simulate::EngineOptions& engine = {}) {
  options.simulated_messages = 100'000;
  RunJobs run;
  run.jobs = plan_jobs(requests, cluster, options);
  for (const PlannedJob& it : run.jobs) {
    EXPECT_TRUE(it.plan->feasible())
        << why(it.plan->search.objection) << why(it.plan->mapped.infeasible);
    if (!it.plan->feasible()) return run;
  }
  run.merged = merged(run.jobs, cluster.devices());
  run.outcome =
      simulate_fluid(run.merged.workload, *cluster.together(mapped_jobs(run.jobs)), {}, engine);
  EXPECT_FALSE(run.outcome.deadlock.has_value());
  for (std::size_t j = 0; j < run.jobs.size(); ++j) {
    const std::span<const TimePoint> ends = {run.outcome.operation_end.data() + run.merged.first[j],
                                             run.merged.first[j + 1] - run.merged.first[j]};
    run.times.push_back(
        iteration_times(run.jobs[j].plan->mapped.lowered, ends, TimePoint(run.jobs[j].start)));
  }
  run.isolated = isolated_times(run.jobs, engine, options.threads);
  return run;
}

}  // namespace loom::jobs
