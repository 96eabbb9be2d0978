// The output of every operator as samples × positions × features, and how far each dimension can be
// partitioned.
//
// A model only counts elements. Positions are the tokens of a sequence or the rows of an image,
// which follow from the pixels and channels of the convolutions.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/model/model.h"

namespace loom::parallelize {

struct OperatorShape {
  std::int64_t positions = 1;  // of the output; 1 if it has none
  std::int64_t features = 1;   // positions × features is the output
  std::int64_t grain = 0;      // number of indivisible units of features; 0: no such partition
  std::int64_t filter = 1;     // input rows that one row of a convolution's output reads
  // How a partition by parameters shards the operator: as tensor parallelism does; if that
  // replicates the operator, by the channels or columns of the output where possible.
  model::TensorSharding sharding = model::TensorSharding::replicated;
};

// The shape of each operator. Operators connected by sharded features (columns to heads to rows)
// share the coarsest grain: with the same degree, their shards cover the same features.
std::vector<OperatorShape> operator_shapes(const model::Model& model);

}  // namespace loom::parallelize
