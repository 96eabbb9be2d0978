// Every job of a cluster planned as it would run alone on its devices, and how many iterations it
// does.
//
// Jobs that ask for the same and find the same share a plan. A job whose iterations are short would
// be gone long before the others end: it may go on, so that the others never have the network to
// themselves.
#pragma once

#include <string>
#include <vector>

#include "loom/jobs/colocated/cluster.h"
#include "loom/jobs/colocated/merge_jobs.h"
#include "loom/plan/strategies.h"
#include "loom/simulate/engine.h"

namespace loom {

inline constexpr int kMaxJobIterations = 100;

struct JobRequest {
  std::string name;
  JobSpec spec;
  int kind = 0;              // requests of one kind have the same spec
  std::vector<int> devices;  // in rank order
  Duration start{0};
  int weight = 1;  // of all it sends, where sharing is weighted
};

struct JobPlan {
  JobSpec spec;  // with the batch and the iterations that were chosen
  StrategySearch search;
  Strategy strategy;  // the first of the search
  Bytes memory;       // of the device that needs most
  MappedJob mapped;

  bool feasible() const { return !search.ranking.empty() && mapped.infeasible.empty(); }
};

struct PlannedJob {
  std::string name;
  std::vector<int> devices;
  Duration start{0};
  std::shared_ptr<const JobPlan> plan;     // in the job's own numbers
  std::shared_ptr<const Network> network;  // that it has alone, likewise
  int weight = 1;
};

struct JobPlanOptions {
  int iterations = 5;                   // of each job
  bool keep_running = true;             // more of short jobs: until the longest has done its own
  std::int64_t simulated_messages = 0;  // of strategies that are confirmed before one is chosen
  bool folding = true;
  int threads = 0;
};

// In the order of the requests. Where some plan is not feasible, only what it has says why.
std::vector<PlannedJob> plan_jobs(const std::vector<JobRequest>& requests, const Cluster& cluster,
                                  const JobPlanOptions& options);

// How many iterations of a job that begins at `start` and takes `each` fit in until `end`; at least
// `least`.
int iterations_until(Duration end, Duration start, Duration each, int min_iterations);

// All of them, which are feasible, as one workload on the cluster.
MergedJobs merged(const std::vector<PlannedJob>& jobs, int devices);

// What Cluster asks for.
std::vector<Cluster::Job> mapped_jobs(const std::vector<PlannedJob>& jobs);

// The iterations of each job with no other job there.
std::vector<std::vector<Duration>> isolated_times(const std::vector<PlannedJob>& jobs,
                                                  const EngineOptions& engine, int threads);

}  // namespace loom
