// Merges several jobs into one workload: the operations of all jobs, each on its own devices,
// without dependencies between jobs.
#pragma once

#include <span>
#include <vector>

#include "loom/place/lower.h"

namespace loom::jobs {

struct JobAt {
  const place::LoweredJob* lowered = nullptr;  // job on devices 0, 1, …
  std::span<const int> devices;                // device of the cluster for each device of the job
  Duration start{0};                           // earliest start of the job's operations
  int weight = 1;                              // weight of its traffic under weighted sharing
};

struct MergedJobs {
  workload::Workload workload;
  std::vector<std::size_t> first;  // first operation of each job, then the number of operations
};

MergedJobs merge_jobs(std::span<const JobAt> jobs, int devices);

}  // namespace loom::jobs
