// Several jobs on their way to the engine: where each of them runs, its strategy, and all of them
// as one workload on one network.
#pragma once

#include "loom/run/plan.h"

namespace loom {

// Fills the jobs and their workload; of a fabric of circuits, also the network.
void prepare_jobs(const Scenario& scenario, Prepared& prepared, const SearchOptions& options);

// Such as "j3.i1.s0.data.71", of all operations: the job from 0, and the operation's name in it.
std::vector<std::string> operation_names(const PreparedJobs& jobs);

}  // namespace loom
