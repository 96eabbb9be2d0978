// Several jobs as one workload: every job's operations one after another, on its own devices, none
// waiting for those of another job.
#pragma once

#include <span>
#include <vector>

#include "loom/place/lower.h"

namespace loom {

struct JobAt {
  const LoweredJob* lowered = nullptr;  // on devices 0, 1, …
  std::span<const int> devices;         // which those are
  Duration start{0};                    // nothing of it begins before
  int weight = 1;                       // of all it sends, where sharing is weighted
};

struct MergedJobs {
  Workload workload;
  std::vector<std::size_t> first;  // operation of each job; behind the last, of all
};

MergedJobs merge_jobs(std::span<const JobAt> jobs, int devices);

}  // namespace loom
