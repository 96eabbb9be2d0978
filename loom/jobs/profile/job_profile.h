// What a training job asks of the links it shares with others, over one iteration.
//
// An iteration is a circle of stages. Each has a length, measured with no other job there, and the
// rates at which it fills links meanwhile; a stage that fills none computes. This one description
// serves all who think about jobs together: whoever turns circles against each other asks what a
// link carries at a time, whoever simulates asks how a stage stretches when it gets less than its
// rates.
#pragma once

#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom {

struct SharedLink {
  std::string name;
  Bandwidth capacity;
};

// What a stage asks of a link; at most once for each link of a stage.
struct LinkRate {
  int link = 0;  // in the list of shared links
  Bandwidth rate;
};

struct ProfileStage {
  Duration length{0};
  std::vector<LinkRate> rates;  // by link; empty while computing
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

// Jobs and the links they meet on.
struct SharedProfiles {
  std::vector<SharedLink> links;
  std::vector<JobProfile> jobs;
};

}  // namespace loom
