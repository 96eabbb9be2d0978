// Planners that search strategies: with all layers sharded the same way, or with operators
// partitioned individually within groups of devices (SiP-ML).
#pragma once

#include "loom/plan/planner.h"

namespace loom::plan {

// The networks on which strategies are compared, and those on which the best are confirmed.
struct Providers {
  std::shared_ptr<NetworkProvider> searching;
  std::shared_ptr<NetworkProvider> confirming;
};

Providers providers_of(const PlanRequest& request);

PlannedTraining plan_by_strategy_search(PlanRequest request);

// Confirms the first strategies of a search, and plans the fastest.
PlannedTraining plan_ranked(PlanRequest request, const Providers& providers, StrategySearch found);

// How the plans of a request are confirmed.
Confirmation confirmation_of(const PlanRequest& request);

inline constexpr Planner kUniformPlanner{.name = "uniform",
                                         .summary = "all layers sharded the same way",
                                         .plan = plan_by_strategy_search,
                                         .uniform = true};
inline constexpr Planner kOperatorsPlanner{
    .name = "operators",
    .summary = "operators partitioned individually within groups of devices (SiP-ML)",
    .plan = plan_by_strategy_search,
    .operators = true};

}  // namespace loom::plan
