// Traffic profile of a training job: its rate on each shared link over one iteration.
//
// An iteration is a sequence of stages that repeats. Each stage has a length, measured without
// contention, and a constant rate on each link it uses; a stage without rates computes. CASSINI
// adds up the rates of all jobs on a link over time; the contention simulation stretches a stage
// that gets less than its rates.
#pragma once

#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom::jobs {

struct SharedLink {
  std::string name;
  Bandwidth capacity;
};

// A stage's rate on a link; at most one per link and stage.
struct LinkRate {
  int link = 0;  // index into SharedProfiles::links
  Bandwidth rate;
};

struct ProfileStage {
  Duration length{0};
  std::vector<LinkRate> rates;  // sorted by link; empty while computing
};

struct JobProfile {
  std::string name;
  std::vector<ProfileStage> stages;

  Duration period() const {
    Duration sum{0};
    for (const ProfileStage& stage : stages) sum += stage.length;
    return sum;
  }
};

// Jobs and the links they share.
struct SharedProfiles {
  std::vector<SharedLink> links;
  std::vector<JobProfile> jobs;
};

}  // namespace loom::jobs
