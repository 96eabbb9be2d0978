// The report of several jobs that share a cluster: iteration times and slowdowns.
//
// Iterations count while all jobs run, that is until the first job ends: after that, the others
// contend with fewer jobs than they would in a cluster that is full. The slowdown compares the same
// iterations with and without the other jobs.
#pragma once

#include <string>
#include <vector>

#include "loom/jobs/contention/iteration_times.h"
#include "loom/run/plan.h"

namespace loom::run {

struct SharedJob {
  std::string name;
  std::string model;
  parallelize::Strategy strategy;
  std::int64_t batch = 0;
  std::vector<int> devices;
  Duration start{0};
  Duration end{0};              // end of its last iteration
  std::vector<Duration> times;  // of all iterations
  std::size_t counted = 0;      // the first iterations, which end while all jobs run; at least one
  double together = 1;          // fraction of the time of those counted in which all jobs run
  jobs::TimeSpread spread;      // of those counted
  Duration isolated{0};         // their mean time without other jobs
  Bytes memory;

  double slowdown() const;
};

struct ColocatedReport {
  std::vector<SharedJob> jobs;
  std::string placement;    // name of the rule that chose the devices
  jobs::TimeSpread spread;  // over all jobs, equally weighted
  std::size_t slowest = 0;  // the job with the longest mean iteration time
  double mean_slowdown = 1;
  std::size_t worst = 0;  // the job with the largest slowdown
};

// Returns the report of a completed run. Simulates each job once more in isolation.
ColocatedReport colocated_report(const ColocatedPlan& plan, const simulate::Outcome& outcome,
                                 const simulate::EngineOptions& engine, int threads);

}  // namespace loom::run
