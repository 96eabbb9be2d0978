// How long each operator takes forward and backward, as a strategy divides it: from the kernel-time
// model, or as somebody measured it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom {

// What one device does of an operator.
struct Division {
  std::int64_t samples = 1;  // of one micro-batch
  int tensor = 1;
  int context = 1;
  int expert = 1;
  bool sequence_parallel = false;
  double expert_load = 1;  // of the busiest device, over its fair share
};

struct OperatorTime {
  Duration forward{0};
  Duration backward{0};
};

// By operator, as written in a CSV file with operator, pass (forward or backward) and time. In a
// name * stands for anything: layer*.attention.qkv. The time is that of one micro-batch on one
// device. A pass that the file does not name is Duration::min() here, and predicted.
struct MeasuredTimes {
  std::map<std::string, OperatorTime> exact;
  std::map<std::string, OperatorTime> patterns;
};

// Whether the name is the pattern with something in place of every *.
bool name_fits(std::string_view pattern, std::string_view name);

// The first name that no operator of the model has; "" if there is none.
std::string unknown_operator(const MeasuredTimes& measured, const Model& model);

MeasuredTimes parse_measured_times(const std::string& text, const std::string& source);

OperatorTime operator_time(const Operator& op, const Division& division,
                           const Accelerator& accelerator, Precision precision,
                           const MeasuredTimes& measured);

}  // namespace loom
