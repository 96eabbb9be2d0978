// The algorithms by which a training job runs its collectives.
#pragma once

#include <vector>

#include "loom/place/lower.h"

namespace loom::run {

// Collectives of one iteration that serve the same purpose by the same algorithm.
struct JobAlgorithm {
  place::Purpose purpose = place::Purpose::data;
  workload::Collective collective;  // its size is that of the largest
  int ranks = 0;                    // of one group
  std::int64_t count = 0;           // number of collectives, summed over all pipeline stages
};

// In the order in which an iteration first uses them; messages between pipeline stages have no
// algorithm and are left out. `job` may have lost its workload to `workload`.
std::vector<JobAlgorithm> job_algorithms(const place::LoweredJob& job,
                                         const workload::Workload& workload);

}  // namespace loom::run
