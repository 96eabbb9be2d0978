// Plans several training jobs that share a cluster: chooses devices, strategy and circuits for each
// job, and merges the jobs into one workload.
#pragma once

#include "loom/run/plan.h"

namespace loom::run {

PlannedOrNot plan_colocated(const scenario::ColocatedWork& work, const scenario::Scenario& scenario,
                            const Fabric& fabric, const plan::SearchOptions& options);

// The names of all operations, such as "j3.i1.s0.data.71": the job's number from 0, then the name
// within the job.
std::vector<std::string> operation_names(const ColocatedPlan& jobs);

}  // namespace loom::run
