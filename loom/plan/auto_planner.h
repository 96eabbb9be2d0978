// Takes the fastest of three plans: uniform, operators, and uniform improved operator by operator
// (split_search.h).
//
// Each is a whole plan, and they are compared by the time that the fluid engine simulates, so the
// result is never slower than uniform. If one plan has too many messages to simulate, all are
// compared by the time that the coarse engine predicts.
#pragma once

#include "loom/plan/planner.h"

namespace loom::plan {

PlannedTraining plan_fastest(PlanRequest request);

inline constexpr Planner kAutoPlanner{.name = "auto",
                                      .summary =
                                          "the fastest of uniform, operators, and uniform "
                                          "improved operator by operator",
                                      .plan = plan_fastest,
                                      .uniform = true,
                                      .operators = true};

}  // namespace loom::plan
