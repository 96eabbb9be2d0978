// Plans several training jobs that share a cluster: devices, strategy and circuits per job, merged
// into one workload.
#pragma once

#include "loom/run/plan.h"

namespace loom::run {

PlannedOrNot plan_colocated(const scenario::ColocatedWork& work, const scenario::Scenario& scenario,
                            const Fabric& fabric, const plan::SearchOptions& options);

// Names of all operations, such as "j3.i1.s0.data.71": job number from 0, then name in the job.
std::vector<std::string> operation_names(const ColocatedPlan& jobs);

}  // namespace loom::run
