// Reads the settings of one training job from a scenario.
#pragma once

#include "loom/plan/strategies.h"
#include "loom/scenario/scenario.h"

namespace loom::scenario {

// Reads the settings and the files that they name. Throws InputError if values contradict each
// other.
plan::JobSpec read_job(const Settings& settings, const model::ModelSpec& model,
                       const model::Accelerator& accelerator, int devices);

}  // namespace loom::scenario
