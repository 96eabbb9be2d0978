// An iteration of training as somebody measured it: every operator, of forward and of backward,
// with its time and the size of its output for several batch sizes.
//
// Unlike a Model it says nothing of shapes: what is known of an operator is what was measured, and
// how that grows with the batch.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/model/time_to_accuracy.h"

namespace loom {

struct ProfiledInput {
  int from = 0;      // operator
  bool data = true;  // false: it has to be over, but nothing of it is needed

  bool operator==(const ProfiledInput&) const = default;
};

struct ProfiledOperator {
  std::string name;
  std::vector<ProfiledInput> inputs;  // operators before it, ascending, each once
  std::vector<Duration> times;        // for each measured batch
  std::vector<Bytes> outputs;

  bool operator==(const ProfiledOperator&) const = default;
};

// A trained variable, whose gradient is summed.
struct ProfiledVariable {
  std::string name;
  std::vector<Bytes> sizes;  // for each measured batch
  // Operators that make its gradient, ascending; with none it is there from the begin.
  std::vector<int> makers;
  // Operators that read it, and its makers, ascending; none where it is not known who does.
  std::vector<int> users;

  bool operator==(const ProfiledVariable&) const = default;
};

struct ProfiledGraph {
  std::string source;        // for messages
  std::vector<int> batches;  // measured, ascending; at least one
  std::vector<ProfiledOperator> operators;
  std::vector<ProfiledVariable> variables;
  bool sums_last = false;  // gradients are summed when everything is computed
  std::optional<AccuracyLaw> accuracy;

  // Why nothing is known of so large a batch, "" if something is: one measured batch says nothing
  // of a larger one.
  std::string objection(double batch) const;

  // Straight lines between measured batches, the last one continued beyond the largest, though not
  // below 0; below the smallest its own value. Rounded to the nearest; LimitError where it does not
  // fit. Need a batch without objection.
  Duration time(int op, double batch) const;
  Bytes output(int op, double batch) const;
  Bytes size(int variable, double batch) const;

  // Whether the output is a part for each sample: it grows with the batch.
  bool output_has_samples(int op) const;
};

}  // namespace loom
