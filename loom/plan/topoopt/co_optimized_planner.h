// TopoOpt's planner: a joint search over operator configurations and topology.
#pragma once

#include "loom/plan/planner.h"

namespace loom::plan {

PlannedTraining plan_co_optimized(PlanRequest request);
std::optional<Objection> co_optimized_objection(const PlanRequest& request);

inline constexpr Planner kCoOptimizedPlanner{
    .name = "co_optimized",
    .summary = "operators partitioned individually, jointly with the topology (TopoOpt)",
    .plan = plan_co_optimized,
    .objection = co_optimized_objection,
    .mcmc = true};

}  // namespace loom::plan
