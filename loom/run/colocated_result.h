// What came out for jobs that share a cluster.
#pragma once

#include <string>
#include <vector>

#include "loom/jobs/contention/iteration_times.h"
#include "loom/run/plan.h"

namespace loom {

struct SharedJob {
  std::string name;
  std::string model;
  Strategy strategy;
  std::int64_t batch = 0;
  std::vector<int> devices;
  Duration start{0};
  Duration end{0};              // of its last iteration
  std::vector<Duration> times;  // of its iterations, without the first
  TimeSpread spread;
  Duration isolated{0};  // mean, with no other job there
  Bytes memory;

  double slowdown() const;
};

struct JobsResult {
  std::vector<SharedJob> jobs;
  TimeSpread spread;        // over all jobs, each of which counts the same
  std::size_t slowest = 0;  // by its mean
  double mean_slowdown = 1;
  std::size_t worst = 0;  // slowed down most
};

// From the moments of a run, which ended. Each job is run once more, alone.
JobsResult jobs_result(const PreparedJobs& prepared, const Outcome& outcome,
                       const EngineOptions& engine, int threads);

}  // namespace loom
