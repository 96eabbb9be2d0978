// Planners that search strategies: with all layers sharded the same way, with operators partitioned
// individually within groups of devices (SiP-ML), or both.
#pragma once

#include "loom/plan/planner.h"

namespace loom::plan {

PlannedTraining plan_by_strategy_search(PlanRequest request);

inline constexpr Planner kUniformPlanner{.name = "uniform",
                                         .summary = "all layers sharded the same way",
                                         .plan = plan_by_strategy_search,
                                         .uniform = true};
inline constexpr Planner kOperatorsPlanner{
    .name = "operators",
    .summary = "operators partitioned individually within groups of devices (SiP-ML)",
    .plan = plan_by_strategy_search,
    .operators = true};
inline constexpr Planner kAutoPlanner{.name = "auto",
                                      .summary = "the faster of uniform and operators",
                                      .plan = plan_by_strategy_search,
                                      .uniform = true,
                                      .operators = true};

}  // namespace loom::plan
