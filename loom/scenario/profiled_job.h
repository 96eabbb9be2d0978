// A training job given by Rostam profiles in place of a model.
#pragma once

#include "loom/plan/job_spec.h"
#include "loom/scenario/scenario.h"

namespace loom::scenario {

// Reads the profiles. Throws InputError if the scenario's values contradict each other.
plan::JobSpec read_profiled_job(const Scenario& scenario, int devices);

}  // namespace loom::scenario
