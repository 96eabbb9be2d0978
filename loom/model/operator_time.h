// Forward and backward time of each operator, as divided by a strategy: from the kernel-time model,
// or measured.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom::model {

// The fraction of an operator that one device computes.
struct Division {
  std::int64_t samples = 1;  // per micro-batch
  int tensor = 1;
  int context = 1;
  int expert = 1;
  bool sequence_parallel = false;
  double expert_load = 1;  // of the busiest device, relative to its fair share
};

struct OperatorTime {
  Duration forward{0};
  Duration backward{0};
};

// Per operator, from a CSV file with operator, pass (forward or backward) and time. `*` in a name
// matches anything: layer*.attention.qkv. Times are for one micro-batch on one device. A pass that
// the file does not name is Duration::min() here, and is predicted.
struct MeasuredTimes {
  std::map<std::string, OperatorTime> exact;
  std::map<std::string, OperatorTime> patterns;
};

// Whether the pattern matches the name; every `*` matches any text.
bool name_fits(std::string_view pattern, std::string_view name);

// The first name that matches no operator of the model.
std::optional<std::string> unknown_operator(const MeasuredTimes& measured, const Model& model);

MeasuredTimes parse_measured_times(const std::string& text, const std::string& source);

OperatorTime operator_time(const Operator& op, const Division& division,
                           const Accelerator& accelerator, Precision precision,
                           const MeasuredTimes& measured);

}  // namespace loom::model
