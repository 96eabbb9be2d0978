// The link profile of an isolated training job: its load on a link over one iteration.
//
// The job is planned and simulated for some iterations without other jobs. The profile is the load
// of its busiest link during the last iteration, reduced to a few stages
// (jobs/profile/profile_stages.h).
#pragma once

#include <string>

#include "loom/jobs/profile/job_profile.h"
#include "loom/scenario/scenario.h"

namespace loom::run {

struct IsolatedProfile {
  jobs::JobProfile profile;  // on link 0
  Bytes bytes;               // bytes per iteration over that link
  double busy = 0;           // fraction of the iteration in which the link carries data
  std::string strategy;
};

// Throws InputError if the scenario is not a training job, or has no feasible plan.
IsolatedProfile isolated_profile(const scenario::Scenario& scenario, const std::string& name,
                                 int threads = 1);

}  // namespace loom::run
