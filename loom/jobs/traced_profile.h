// What planned jobs ask of the links of their cluster, as the engine sees each of them alone.
//
// Every job runs for its iterations on the whole network with nobody else there. What each link
// carries through the last iteration, from the end of the one before, is read in even slots; slots
// that carry much the same become one stage. The bytes of an iteration and its length stay as they
// are.
#pragma once

#include <vector>

#include "loom/jobs/job_profile.h"
#include "loom/jobs/plan_jobs.h"

namespace loom {

inline constexpr int kTraceSlots = 1000;     // of an iteration
inline constexpr double kStageError = 0.02;  // of the bytes of an iteration that joining may move
inline constexpr std::size_t kMostTracedStages = 48;

// Only links that two jobs or more use. `network` is what all jobs have together.
SharedProfiles traced_profiles(const std::vector<PlannedJob>& jobs, const Network& network,
                               const EngineOptions& engine, int threads);

// Stages with as few changes of rate as the error allows: neighbours that differ least are joined
// first, at their mean rates.
std::vector<ProfileStage> joined_stages(std::vector<ProfileStage> stages, double error,
                                        std::size_t most);

}  // namespace loom
