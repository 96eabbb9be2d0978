// A training job given as profiles of Rostam in place of a model.
#pragma once

#include "loom/plan/job_spec.h"
#include "loom/scenario/scenario.h"

namespace loom {

// Reads the profiles. InputError where the scenario's values do not go together.
JobSpec read_profiled_job(const Scenario& scenario, int devices);

}  // namespace loom
