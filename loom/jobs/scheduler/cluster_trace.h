// What a cluster is asked to do over a day: which kinds of training there are, and which jobs of
// each arrive when.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loom/jobs/profile/job_profile.h"
#include "loom/plan/job_spec.h"

namespace loom {

// A stage of a job that was measured: every device sends so much to the next one, the last to the
// first. A stage without a rate computes.
struct RingStage {
  Duration length{0};
  Bandwidth rate;
};

// Jobs of one kind differ in their devices and length only. One of `spec` and `stages` is there.
struct JobKind {
  std::string name;
  std::function<JobSpec(int devices)> spec;
  std::vector<RingStage> stages;
  // Samples of one iteration; where they do not grow with the devices more of these do not help.
  // Nothing: what an iteration does on other devices than a job asks for is not known, and it gets
  // those or none.
  std::function<std::int64_t(int devices)> batch;
  // The batch at which twice as many samples give half as much more (McCandlish et al., arXiv
  // 1812.06162). Nothing: a sample is worth the same in a batch of any size.
  std::optional<double> critical_batch;
};

struct TraceJob {
  std::string name;
  int kind = 0;
  int devices = 1;      // that it asks for
  int max_devices = 1;  // that it can use, where a policy may give more
  Duration arrival{0};
  std::int64_t iterations = 0;  // on the devices that it asks for; 0: as long as it says
  Duration duration{0};         // of all iterations, alone on devices near each other
};

struct ClusterTrace {
  std::vector<JobKind> kinds;
  std::vector<TraceJob> jobs;  // by arrival
};

}  // namespace loom
