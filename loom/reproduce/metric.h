// One number of a result, by the name that a study calls it.
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

// What every claim of a study has, whatever it is about.
inline constexpr Parameter kClaimInWords{
    .name = "claim", .type = ValueType::text, .summary = "in words", .required = true};
inline constexpr Parameter kClaimMeasure{.name = "measure",
                                         .type = ValueType::choice,
                                         .summary = "what is compared",
                                         .required = true,
                                         .choices = kMeasureNames};
inline constexpr Parameter kClaimPublished{
    .name = "published", .type = ValueType::real, .summary = "the value", .required = true};
inline constexpr Parameter kClaimRule{
    .name = "rule", .type = ValueType::text, .summary = "by which it holds", .required = true};

// Not a number where the result has none.
double measure(const Report& result, std::string_view name);

}  // namespace loom
