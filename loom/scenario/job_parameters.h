// The keys of a training job in a scenario.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "loom/base/settings.h"

namespace loom::scenario {

inline constexpr std::array<std::string_view, 3> kGradientNames = {"fp32", "fp16", "bf16"};

// The keys of a workload that names a model, besides the model's own parameters.
std::span<const Parameter> job_parameters();

}  // namespace loom::scenario
