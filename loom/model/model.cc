// Quantities derived from a model's operators: its size, its flops, and its block boundaries.
#include "loom/model/model.h"

#include <algorithm>

#include "loom/base/units.h"

namespace loom::model {
namespace {

bool has_weights(const Operator& op) {
  return op.kind == OperatorKind::product || op.kind == OperatorKind::convolution;
}

bool multiplies(const Operator& op) {
  return has_weights(op) || op.kind == OperatorKind::attention;
}

}  // namespace

std::int64_t touched_parameters(const Operator& op, std::int64_t samples) {
  const Int128 read = Int128{op.read} * samples;
  return static_cast<std::int64_t>(std::min(read, Int128{op.parameters}));
}

std::int64_t Model::parameters() const {
  std::int64_t sum = 0;
  for (const Operator& op : operators) sum += op.parameters;
  return sum;
}

std::int64_t Model::active_parameters() const {
  std::int64_t sum = 0;
  for (const Operator& op : operators) {
    sum += op.experts > 0 ? op.parameters / op.experts * chosen_experts : op.parameters;
  }
  return sum;
}

std::int64_t Model::forward_flops() const {
  std::int64_t sum = 0;
  for (const Operator& op : operators) {
    if (multiplies(op)) sum += op.product.flops();
  }
  return sum;
}

// Backward has two products as large as the forward product: for the gradients of the input and of
// the weights, or, in attention, of both inputs.
std::int64_t Model::training_flops() const { return 3 * forward_flops(); }

// An output that several later blocks read crosses every boundary up to the last of these blocks,
// and counts once at each.
std::int64_t Model::boundary(int block) const {
  std::vector<int> last(operators.size(), -1);
  for (const Operator& op : operators) {
    for (const int input : op.inputs) {
      int& reader = last[static_cast<std::size_t>(input)];
      reader = std::max(reader, op.block);
    }
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (operators[i].block <= block && last[i] > block) sum += operators[i].output;
  }
  return sum;
}

}  // namespace loom::model
