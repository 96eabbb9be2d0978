// What planned jobs ask of the links of their cluster, as the engine sees each of them alone.
//
// Every job runs for its iterations on the whole network with nobody else there; what each link
// carries through the last of them are its stages (profile_stages.h).
#pragma once

#include <vector>

#include "loom/jobs/colocated/plan_jobs.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom {

// Only links that two jobs or more use. `network` is what all jobs have together.
SharedProfiles traced_profiles(const std::vector<PlannedJob>& jobs, const Network& network,
                               const EngineOptions& engine, int threads);

}  // namespace loom
