// A training job as a scenario writes it.
#pragma once

#include <span>
#include <string_view>

#include "loom/plan/strategies.h"
#include "loom/scenario/scenario.h"

namespace loom {

// What may stand in a workload that names a model, besides the model's own parameters.
std::span<const Parameter> job_parameters();

// Reads files that the job names. InputError where its values do not go together.
JobSpec read_job(const Settings& settings, const ModelSpec& model, const Accelerator& accelerator,
                 int devices);

}  // namespace loom
