// Checks that the numbers of a run do not contradict each other.
#pragma once

#include "loom/run/simulate_plan.h"

namespace loom::run {

// Fails with LOOM_CHECK if a link carried more than its bandwidth allows, or a device computed
// longer than the run took.
void check_consistency(const scenario::Scenario& scenario, const Plan& plan,
                       const simulate::Outcome& outcome);

}  // namespace loom::run
