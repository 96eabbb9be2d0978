// The list of planners: the values of the key `partition`. To add one, see planner.h.
#pragma once

#include "loom/base/names.h"
#include "loom/plan/auto_planner.h"
#include "loom/plan/strategy_planner.h"
#include "loom/plan/topoopt/co_optimized_planner.h"

namespace loom::plan {

// kAutoPlanner is not in the list: `auto` is already a value of every key that a search can choose.
inline constexpr std::array kPlanners = {&kUniformPlanner, &kOperatorsPlanner,
                                         &kCoOptimizedPlanner};
inline constexpr auto kPlannerNames = names_of(kPlanners);

}  // namespace loom::plan
