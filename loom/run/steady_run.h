// Simulates a plan until its iterations take equally long.
//
// The last iteration of a training job is repeated until two iterations in a row differ by at most
// one percent, there are eight, or more would exceed `max_messages`. Jobs whose number of
// iterations the user chose, jobs with jitter and circuits that change are simulated as they are.
#pragma once

#include "loom/run/simulate_plan.h"

namespace loom::run {

struct SteadyRun {
  Plan plan;  // with as many iterations as were simulated
  Simulated simulated;
};

SteadyRun simulate_until_steady(const scenario::Scenario& scenario, Plan plan,
                                const Replacements& replacements, const SimulateOptions& options);

// The iteration time of a completed run.
struct IterationTime {
  // Of the last iteration; of more than two that are not steady, the mean of the second half.
  Duration time{0};
  double variation = 0;  // difference of the last two iterations, relative to the last one
  bool steady = true;
};

IterationTime iteration_time(const place::LoweredJob& job,
                             const std::vector<TimePoint>& operation_end);

}  // namespace loom::run
