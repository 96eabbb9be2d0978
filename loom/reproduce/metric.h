// Named measures of a report, as studies use them.
#pragma once

#include <array>
#include <string_view>

#include "loom/run/run.h"

namespace loom {

inline constexpr std::array<std::string_view, 11> kMeasureNames = {
    "iteration_seconds",       "completion_seconds", "training_seconds",
    "tflops_per_device",       "samples_per_second", "memory_gigabytes",
    "model_flops_utilization", "control_messages",   "control_messages_per_device",
    "p99_iteration_seconds",   "mean_error"};

// The parameters that claims of all kinds of studies share.
inline constexpr Parameter kClaimInWords{
    .name = "claim", .type = ValueType::text, .summary = "the claim in words", .required = true};
inline constexpr Parameter kClaimMeasure{.name = "measure",
                                         .type = ValueType::choice,
                                         .summary = "measure that is compared",
                                         .required = true,
                                         .choices = kMeasureNames};
inline constexpr Parameter kClaimPublished{
    .name = "published", .type = ValueType::real, .summary = "published value", .required = true};
inline constexpr Parameter kClaimRule{.name = "rule",
                                      .type = ValueType::text,
                                      .summary = "rule by which the claim holds",
                                      .required = true};

// The measure of that name; NaN if the report has none.
double measure(const Report& report, std::string_view name);

}  // namespace loom
