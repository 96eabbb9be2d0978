// Plans a training job by TopoOpt's joint search over operator configurations and topology
// (partition: co_optimized).
#pragma once

#include "loom/run/plan.h"

namespace loom::run {

// `training` has its spec; the search fills in the rest.
PlannedOrNot plan_co_optimized(TrainingPlan training, const scenario::Scenario& scenario,
                               const Fabric& fabric, const plan::SearchOptions& search);

}  // namespace loom::run
