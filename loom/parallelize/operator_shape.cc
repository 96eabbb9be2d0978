#include "loom/parallelize/operator_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace loom::parallelize {
namespace {

// Placeholder for the grain of memory-bound operators on sharded features: that of their input.
constexpr std::int64_t kOfInput = std::numeric_limits<std::int64_t>::max();

// Side of a square image; 0 if the number of pixels is not a square.
std::int64_t side_of(std::int64_t pixels) {
  const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(pixels))));
  return side * side == pixels ? side : 0;
}

// Number of image channels of each output, 0 if it is not an image. The outputs of memory-bound
// operators have the channels of their inputs.
std::vector<std::int64_t> channels_of(const model::Model& model) {
  std::vector<std::int64_t> channels;
  for (const model::Operator& op : model.operators) {
    std::int64_t count = 0;
    if (op.kind == model::OperatorKind::convolution) count = op.product.columns;
    if (op.kind == model::OperatorKind::memory && !op.inputs.empty()) {
      count = channels[static_cast<std::size_t>(op.inputs.front())];
    }
    if (count > 0 && (op.output % count != 0 || side_of(op.output / count) == 0)) count = 0;
    channels.push_back(count);
  }
  return channels;
}

std::int64_t positions_of(const model::Model& model, const model::Operator& op,
                          std::int64_t channels) {
  if (model.tokens > 0) return op.output % model.tokens == 0 ? model.tokens : 1;
  return channels > 0 ? side_of(op.output / channels) : 1;
}

// Number of input rows that one output row of a convolution reads; 1 for the first convolution,
// whose input (the image) is not the output of an operator.
std::int64_t filter_rows(const model::Operator& op, const std::vector<std::int64_t>& channels) {
  if (op.kind != model::OperatorKind::convolution || op.inputs.empty()) return 1;
  const std::int64_t in = channels[static_cast<std::size_t>(op.inputs.front())];
  return in > 0 ? std::max<std::int64_t>(1, side_of(op.product.inner / in)) : 1;
}

// Whether the operator is elementwise: every input has the shape of the output. A norm over the
// features of a token is not elementwise.
bool pointwise(const model::Model& model, const model::Operator& op) {
  if (op.kind != model::OperatorKind::memory || (model.tokens > 0 && op.parameters > 0))
    return false;
  return std::all_of(op.inputs.begin(), op.inputs.end(), [&](int input) {
    return model.operators[static_cast<std::size_t>(input)].output == op.output;
  });
}

model::TensorSharding sharding_of(const model::Model& model, const model::Operator& op) {
  if (op.tables > 0) return model::TensorSharding::sharded;
  if (op.tensor != model::TensorSharding::replicated) return op.tensor;
  const bool weights =
      op.kind == model::OperatorKind::product || op.kind == model::OperatorKind::convolution;
  if (weights) return model::TensorSharding::column;
  return pointwise(model, op) ? model::TensorSharding::sharded : model::TensorSharding::replicated;
}

std::int64_t grain_of(const model::Operator& op, const OperatorShape& shape) {
  if (op.tables > 0) return op.tables;
  if (op.kind == model::OperatorKind::attention) return op.product.count / (op.fused ? 2 : 1);
  switch (shape.sharding) {
    case model::TensorSharding::replicated:
      return 0;
    case model::TensorSharding::column:
      return op.product.columns;
    case model::TensorSharding::row:
      return op.kind == model::OperatorKind::lookup ? shape.features : op.product.inner;
    case model::TensorSharding::sharded:
      return op.inputs.empty() ? shape.features : kOfInput;
  }
  return 0;
}

// Gives all operators that are connected by sharded features the coarsest grain among them, so that
// the features stay sharded from one operator to the next.
void share_grains(const model::Model& model, std::vector<OperatorShape>& shapes) {
  std::vector<std::size_t> region(shapes.size());
  std::iota(region.begin(), region.end(), std::size_t{0});
  const auto root = [&](std::size_t o) {
    while (region[o] != o) o = region[o];
    return o;
  };
  const auto joined = [&](std::size_t from, std::size_t to) {
    const model::TensorSharding a = shapes[from].sharding;
    const model::TensorSharding b = shapes[to].sharding;
    return (a == model::TensorSharding::column || a == model::TensorSharding::sharded) &&
           (b == model::TensorSharding::sharded || b == model::TensorSharding::row);
  };
  for (std::size_t o = 0; o < shapes.size(); ++o) {
    for (const int input : model.operators[o].inputs) {
      const auto from = static_cast<std::size_t>(input);
      if (joined(from, o)) region[root(from)] = root(o);
    }
  }
  for (std::size_t o = 0; o < shapes.size(); ++o) {
    std::int64_t& coarsest = shapes[root(o)].grain;
    coarsest = std::min(coarsest, shapes[o].grain);
  }
  for (std::size_t o = 0; o < shapes.size(); ++o) {
    const std::int64_t coarsest = shapes[root(o)].grain;
    shapes[o].grain = coarsest == kOfInput ? shapes[o].features : coarsest;
  }
}

}  // namespace

std::vector<OperatorShape> operator_shapes(const model::Model& model) {
  const std::vector<std::int64_t> channels = channels_of(model);
  std::vector<OperatorShape> shapes;
  for (std::size_t o = 0; o < model.operators.size(); ++o) {
    const model::Operator& op = model.operators[o];
    OperatorShape shape;
    shape.positions = positions_of(model, op, channels[o]);
    shape.features = op.output / shape.positions;
    shape.filter = filter_rows(op, channels);
    shape.sharding = sharding_of(model, op);
    shape.grain = grain_of(op, shape);
    shapes.push_back(shape);
  }
  share_grains(model, shapes);
  return shapes;
}

}  // namespace loom::parallelize
