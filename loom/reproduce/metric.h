// Named measures of a report, used by studies.
#pragma once

#include <array>
#include <string_view>

#include "loom/reproduce/claim.h"
#include "loom/run/run.h"

namespace loom::reproduce {

inline constexpr std::array<std::string_view, 11> kMeasureNames = {
    "iteration_seconds",       "completion_seconds", "training_seconds",
    "tflops_per_device",       "samples_per_second", "memory_gigabytes",
    "model_flops_utilization", "control_messages",   "control_messages_per_device",
    "p99_iteration_seconds",   "mean_error"};

inline constexpr Parameter kReportMeasure =
    claim_measure("measure that is compared", kMeasureNames);

// The value of the measure; NaN if the report has none.
double measure(const run::Report& report, std::string_view name);

}  // namespace loom::reproduce
