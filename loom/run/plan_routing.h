// Plans work by every routing that `routing: auto` may stand for, and keeps the plan that is
// fastest in simulation.
#pragma once

#include "loom/run/plan.h"

namespace loom::run {

// Requires a fabric with routings. If no routing has a plan, returns why the first has none.
PlanOrNot plan_by_routing(const scenario::Scenario& scenario, const Inputs& inputs,
                          const Fabric& fabric, const Replacements& replacements,
                          const plan::SearchOptions& options);

}  // namespace loom::run
