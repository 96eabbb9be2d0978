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

// A stage of a measured job: every device sends at this rate to the next one, the last to the
// first. A stage without a rate computes.
struct RingStage {
  Duration length{0};
  Bandwidth rate;
};

// Jobs of one kind differ only in their devices and length. Exactly one of `spec` and `stages` is
// set.
struct JobKind {
  std::string name;
  std::function<plan::JobSpec(int devices)> spec;
  std::vector<RingStage> stages;
  // Samples per iteration; if these do not grow with the devices, more devices do not help. Empty:
  // the iteration is known only for the requested number of devices, so a job gets exactly those or
  // none.
  std::function<std::int64_t(int devices)> batch;
  // The critical batch size: above it, larger batches bring diminishing progress per sample
  // (McCandlish et al., arXiv 1812.06162). Empty: a sample is worth the same in a batch of any
  // size.
  std::optional<double> critical_batch;
};

struct TraceJob {
  std::string name;
  int kind = 0;
  int devices = 1;      // requested devices
  int max_devices = 1;  // most devices it can use, if the policy may give more
  Duration arrival{0};
  std::int64_t iterations = 0;  // on the requested devices; 0: given by duration
  Duration duration{0};         // length of all iterations, isolated on adjacent devices
};

struct ClusterTrace {
  std::vector<JobKind> kinds;
  std::vector<TraceJob> jobs;  // sorted by arrival
};

}  // namespace loom::jobs
