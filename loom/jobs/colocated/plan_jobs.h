// Plans every job of a cluster as if isolated on its devices, and chooses its number of iterations.
//
// Requests of the same kind on equivalent devices share a plan. A job with short iterations would
// end long before the others; it may run more iterations, so that all jobs contend until the end,
// as far as the message budget of the jobs allows.
#pragma once

#include <string>
#include <vector>

#include "loom/jobs/colocated/cluster.h"
#include "loom/jobs/colocated/merge_jobs.h"
#include "loom/plan/strategies.h"
#include "loom/simulate/engine.h"

namespace loom::jobs {

inline constexpr int kMaxJobIterations = 1000;

struct JobRequest {
  std::string name;
  plan::JobSpec spec;
  int kind = 0;              // kind of job; requests of one kind have the same spec
  std::vector<int> devices;  // in rank order
  Duration start{0};
  int weight = 1;  // weight of its traffic under weighted sharing
};

struct JobPlan {
  plan::JobSpec spec;  // the job, with the chosen batch and number of iterations
  plan::StrategySearch search;
  parallelize::Strategy strategy;  // the best strategy found
  Bytes memory;                    // peak memory over all devices
  plan::MappedJob mapped;

  bool feasible() const { return !search.ranking.empty() && !mapped.infeasible; }
};

struct PlannedJob {
  std::string name;
  std::vector<int> devices;
  Duration start{0};
  std::shared_ptr<const JobPlan> plan;             // its devices are numbered from 0
  std::shared_ptr<const fabric::Network> network;  // isolated network, devices numbered from 0
  int weight = 1;
};

struct JobPlanOptions {
  int iterations = 5;        // min number of iterations per job
  bool keep_running = true;  // short jobs run more iterations, until the last job ends
  // Message budget for confirming the best strategies by simulation, and for the iterations of all
  // jobs beyond the minimum.
  std::int64_t simulated_messages = 0;
  bool folding = true;
  int threads = 0;
};

// Returns the jobs in the order of the requests. If a job has no feasible plan, its search or its
// mapping states why.
std::vector<PlannedJob> plan_jobs(const std::vector<JobRequest>& requests, const Cluster& cluster,
                                  const JobPlanOptions& options);

// The number of iterations of length `each` that a job starting at `start` needs to run until
// `end`, within these limits.
int iterations_until(Duration end, Duration start, Duration each, int min_iterations,
                     int max_iterations = kMaxJobIterations);

// Merges all jobs, which must be feasible, into one workload on the cluster.
MergedJobs merged(const std::vector<PlannedJob>& jobs, int devices);

// The jobs as arguments of Cluster::together().
std::vector<Cluster::Job> mapped_jobs(const std::vector<PlannedJob>& jobs);

// The iteration times of each job in isolation.
std::vector<std::vector<Duration>> isolated_times(const std::vector<PlannedJob>& jobs,
                                                  const simulate::EngineOptions& engine,
                                                  int threads);

}  // namespace loom::jobs
