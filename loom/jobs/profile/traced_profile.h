// Profiles of planned jobs on their cluster, each from a simulation of the isolated job.
//
// Every job runs its iterations as the only job on the network; the link loads of the last
// iteration become its stages (profile_stages.h), but only on links that several jobs use.
#pragma once

#include <vector>

#include "loom/jobs/colocated/plan_jobs.h"
#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

// `network` is the network that all jobs share.
SharedProfiles traced_profiles(const std::vector<PlannedJob>& jobs, const fabric::Network& network,
                               const simulate::EngineOptions& engine, int threads);

}  // namespace loom::jobs
