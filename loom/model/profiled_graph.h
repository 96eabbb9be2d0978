// A profiled training iteration: every forward and backward operator with its measured time and
// output size for several batch sizes.
//
// Unlike a Model, a profile has no tensor shapes: only the measured times and sizes, and how they
// grow with the batch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/units.h"
#include "loom/model/time_to_accuracy.h"

namespace loom::model {

struct ProfiledInput {
  int from = 0;      // operator
  bool data = true;  // false: a control dependency that transfers nothing

  bool operator==(const ProfiledInput&) const = default;
};

struct ProfiledOperator {
  std::string name;
  std::vector<ProfiledInput> inputs;  // earlier operators, ascending, unique
  std::vector<Duration> times;        // per measured batch
  std::vector<Bytes> outputs;

  bool operator==(const ProfiledOperator&) const = default;
};

// A trained variable, whose gradient is summed over all replicas.
struct ProfiledVariable {
  std::string name;
  std::vector<Bytes> sizes;  // per measured batch
  // Operators that compute its gradient, ascending; if none, the gradient is available from the
  // start.
  std::vector<int> makers;
  // Operators that read the variable or compute its gradient, ascending; empty if unknown.
  std::vector<int> users;

  bool operator==(const ProfiledVariable&) const = default;
};

struct ProfiledGraph {
  std::string source;        // for messages
  std::vector<int> batches;  // measured, ascending; at least one
  std::vector<ProfiledOperator> operators;
  std::vector<ProfiledVariable> variables;
  bool sums_last = false;  // gradients are summed after all computation
  std::optional<AccuracyLaw> accuracy;

  // The reason why the profile does not cover this batch: a single measured batch cannot be
  // extrapolated to a larger one. Nothing if the profile covers the batch.
  std::optional<Infeasible> objection(double batch) const;

  // The time of an operator, the size of its output and the size of a variable for a batch: linear
  // interpolation between measured batches, extrapolated above the largest (but not below 0),
  // constant below the smallest. Rounded to the nearest integer; LimitError on overflow. Requires
  // that there is no objection(batch).
  Duration time(int op, double batch) const;
  Bytes output(int op, double batch) const;
  Bytes size(int variable, double batch) const;

  // True if the output grows with the batch, so that it consists of samples.
  bool output_has_samples(int op) const;
};

}  // namespace loom::model
