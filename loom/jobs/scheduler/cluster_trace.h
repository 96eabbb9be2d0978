// Cluster trace: the kinds of training job, and the jobs of each kind with their arrival times.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loom/jobs/profile/job_profile.h"
#include "loom/plan/job_spec.h"

namespace loom::jobs {

// A stage of a measured job: every device sends at this rate to the next device, and the last to
// the first. A stage with rate 0 computes.
struct RingStage {
  Duration length{0};
  Bandwidth rate;
};

// A kind of job. Jobs of one kind differ only in their devices and their number of iterations.
// Exactly one of `spec` and `stages` is set.
struct JobKind {
  std::string name;
  std::function<plan::JobSpec(int devices)> spec;
  std::vector<RingStage> stages;
  // Samples per iteration on a number of devices. Empty: the iteration is known only for the
  // requested number of devices, so a job gets that number of devices or none.
  std::function<std::int64_t(int devices)> batch;
  // Critical batch size: in larger batches, a sample contributes less to training (McCandlish et
  // al., arXiv 1812.06162). Empty: a sample contributes the same in a batch of any size.
  std::optional<double> critical_batch;
};

struct TraceJob {
  std::string name;
  int kind = 0;
  int devices = 1;      // requested devices
  int max_devices = 1;  // max devices it can use, if the policy may give it more than requested
  Duration arrival{0};
  std::int64_t iterations = 0;  // number of iterations on the requested devices; 0: from duration
  Duration duration{0};         // time of all iterations in isolation on adjacent devices
};

struct ClusterTrace {
  std::vector<JobKind> kinds;
  std::vector<TraceJob> jobs;  // sorted by arrival
};

}  // namespace loom::jobs
