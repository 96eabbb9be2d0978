// Plans several training jobs that share a cluster: devices, strategy and circuits per job, merged
// into one workload.
#pragma once

#include "loom/run/plan.h"

namespace loom {

PlannedOrNot plan_colocated(const ColocatedWork& work, const Scenario& scenario,
                            const Fabric& fabric, const SearchOptions& options);

// Names of all operations, such as "j3.i1.s0.data.71": job number from 0, then name in the job.
std::vector<std::string> operation_names(const ColocatedPlan& jobs);

}  // namespace loom
