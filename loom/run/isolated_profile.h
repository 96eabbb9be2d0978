// What a training job asks of a link over an iteration, as the engine sees it with no other job
// there.
//
// The job is planned and run for some iterations on its own network; what its busiest link carries
// through the last of them, from the end of the one before, is the profile, in few stages
// (jobs/profile/profile_stages.h).
#pragma once

#include <string>

#include "loom/jobs/profile/job_profile.h"
#include "loom/scenario/scenario.h"

namespace loom {

struct IsolatedProfile {
  JobProfile profile;  // of link 0
  Bytes bytes;         // of an iteration over that link
  double busy = 0;     // the part of the iteration in which the link carries something
  std::string strategy;
};

// InputError where the scenario is no training job, or does not fit.
IsolatedProfile isolated_profile(const Scenario& scenario, const std::string& name,
                                 int threads = 1);

}  // namespace loom
