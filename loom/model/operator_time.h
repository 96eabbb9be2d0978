// Forward and backward time of the share of an operator that one device computes: measured, or
// predicted by the kernel-time model.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "loom/model/accelerator.h"
#include "loom/model/model.h"

namespace loom::model {

// The division of an operator over devices: one degree per kind of parallelism.
struct Division {
  std::int64_t samples = 1;  // per micro-batch
  int tensor = 1;
  int context = 1;
  int expert = 1;
  bool sequence_parallel = false;
  double expert_load = 1;  // load of the busiest device, relative to its fair share
};

struct OperatorTime {
  Duration forward{0};
  Duration backward{0};
};

// Measured times per operator, from a CSV file with the columns operator, pass (forward or
// backward) and time. `*` in a name matches anything: layer*.attention.qkv. Times are for one
// micro-batch on one device. The time of a pass that the file does not contain is Duration::min()
// here; operator_time() predicts it.
struct MeasuredTimes {
  std::map<std::string, OperatorTime> exact;
  std::map<std::string, OperatorTime> patterns;

  bool empty() const { return exact.empty() && patterns.empty(); }
};

// Whether the pattern matches the name; every `*` matches any text.
bool name_fits(std::string_view pattern, std::string_view name);

// The first name or pattern that matches no operator of the model; nothing if all match.
std::optional<std::string> unknown_operator(const MeasuredTimes& measured, const Model& model);

MeasuredTimes parse_measured_times(const std::string& text, const std::string& source);

OperatorTime operator_time(const Operator& op, const Division& division,
                           const Accelerator& accelerator, Precision precision,
                           const MeasuredTimes& measured);

// Lower bound on the time of all shards of an operator together, forward and backward, for so many
// samples: whatever its partition, micro-batches and recomputation, without kernel launches.
double min_operator_seconds(const Operator& op, std::int64_t samples,
                            const Accelerator& accelerator, Precision precision);

}  // namespace loom::model
