// Plans every job of a cluster as if isolated on its devices, and chooses its number of iterations.
//
// Requests of the same kind on equivalent devices share a plan. A job with short iterations would
// end long before the others; it may run more iterations, so that the others never have the network
// to themselves.
#pragma once

#include <string>
#include <vector>

#include "loom/jobs/colocated/cluster.h"
#include "loom/jobs/colocated/merge_jobs.h"
#include "loom/plan/strategies.h"
#include "loom/simulate/engine.h"

namespace loom::jobs {

inline constexpr int kMaxJobIterations = 100;

struct JobRequest {
  std::string name;
  plan::JobSpec spec;
  int kind = 0;              // requests of one kind have the same spec
  std::vector<int> devices;  // in rank order
  Duration start{0};
  int weight = 1;  // weight of its traffic under weighted sharing
};

struct JobPlan {
  plan::JobSpec spec;  // with the chosen batch and iterations
  plan::StrategySearch search;
  parallelize::Strategy strategy;  // the best one found
  Bytes memory;                    // peak over devices
  plan::MappedJob mapped;

  bool feasible() const { return !search.ranking.empty() && !mapped.infeasible; }
};

struct PlannedJob {
  std::string name;
  std::vector<int> devices;
  Duration start{0};
  std::shared_ptr<const JobPlan> plan;             // in the job's own numbering
  std::shared_ptr<const fabric::Network> network;  // its isolated network, likewise
  int weight = 1;
};

struct JobPlanOptions {
  int iterations = 5;        // per job
  bool keep_running = true;  // short jobs run more iterations, until the longest job ends
  std::int64_t simulated_messages =
      0;  // message budget for confirming the best strategies by simulation
  bool folding = true;
  int threads = 0;
};

// In the order of the requests. If some job has no feasible plan, its search or mapping states why.
std::vector<PlannedJob> plan_jobs(const std::vector<JobRequest>& requests, const Cluster& cluster,
                                  const JobPlanOptions& options);

// The number of iterations of length `each` that a job starting at `start` needs to run until
// `end`; at least `min_iterations`.
int iterations_until(Duration end, Duration start, Duration each, int min_iterations);

// Merges all jobs, which must be feasible, into one workload on the cluster.
MergedJobs merged(const std::vector<PlannedJob>& jobs, int devices);

// The jobs in the form that Cluster::together() takes.
std::vector<Cluster::Job> mapped_jobs(const std::vector<PlannedJob>& jobs);

// The iteration times of each job in isolation.
std::vector<std::vector<Duration>> isolated_times(const std::vector<PlannedJob>& jobs,
                                                  const simulate::EngineOptions& engine,
                                                  int threads);

}  // namespace loom::jobs
