// The output of every operator as samples × positions × features, and along which of them its work
// can be cut into how many.
//
// A model counts elements only. Tokens are the positions of a sequence; of an image they are its
// rows, which follow from the pixels and channels of the convolutions.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/model/model.h"

namespace loom {

struct OperatorShape {
  std::int64_t positions = 1;  // of its output; 1 where it has none to tell apart
  std::int64_t features = 1;   // positions × features is its output
  std::int64_t grain = 0;      // parts along its features that stay whole; 0: no cut by parameters
  std::int64_t filter = 1;     // rows of the input that one row of a convolution's output reads
  // How a cut by parameters works: as its tensor split, or for what tensor parallelism leaves whole
  // by the channels or columns of the output.
  TensorSharding sharding = TensorSharding::replicated;
};

// By operator. Operators that pass on divided features (columns to heads to rows) have the same
// grain, that of the coarsest: cut into as many, their pieces lie on the same features.
std::vector<OperatorShape> operator_shapes(const Model& model);

}  // namespace loom
