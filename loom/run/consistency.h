// Checks that the numbers of a run do not contradict each other.
#pragma once

#include <optional>

#include "loom/run/plan_bound.h"
#include "loom/run/training_report.h"

namespace loom::run {

// Fails with LOOM_CHECK if a link carried more than its bandwidth allows, a device computed longer
// than the run took, or the run took less than its lower bound.
void check_consistency(const scenario::Scenario& scenario, const Plan& plan,
                       const simulate::Outcome& outcome, const std::optional<PlanBound>& bound);

// Fails with LOOM_CHECK if a job computes faster than the peak of its accelerator. Throws
// InputError if that is because of measured kernel times.
void check_utilization(const scenario::Scenario& scenario, const TrainingReport& report);

}  // namespace loom::run
