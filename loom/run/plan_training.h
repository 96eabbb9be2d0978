// Plans one training job: strategy, placement, circuits and collective algorithms, by the planner
// that the scenario names (plan/planners.h).
#pragma once

#include "loom/run/plan.h"

namespace loom::run {

PlannedOrNot plan_training(const scenario::TrainingWork& work, const scenario::Scenario& scenario,
                           const Fabric& fabric, const plan::SearchOptions& options);

}  // namespace loom::run
