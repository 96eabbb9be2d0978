// Quantities derived from a model's operators: its size, its flops, and its block boundaries.
#include "loom/model/model.h"

#include <algorithm>
#include <numeric>
#include <tuple>

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
    if (multiplies(op)) sum += op.flops();
  }
  return sum;
}

// Backward has two products as large as the forward product: for the gradients of the input and of
// the weights, or, in attention, of both inputs.
std::int64_t Model::training_flops() const { return 3 * forward_flops(); }

// An output that several later blocks read crosses every boundary up to the last of these blocks,
// and counts once at each. The sums change only where an output begins or ends to cross.
std::vector<std::int64_t> Model::boundaries() const {
  std::vector<int> last(operators.size(), -1);
  for (const Operator& op : operators) {
    for (const int input : op.inputs) {
      int& reader = last[static_cast<std::size_t>(input)];
      reader = std::max(reader, op.block);
    }
  }
  std::vector<std::int64_t> sums(static_cast<std::size_t>(blocks) + 1, 0);
  for (std::size_t i = 0; i < operators.size(); ++i) {
    if (last[i] <= operators[i].block) continue;
    sums[static_cast<std::size_t>(operators[i].block)] += operators[i].output;
    sums[static_cast<std::size_t>(last[i])] -= operators[i].output;
  }
  std::partial_sum(sums.begin(), sums.end(), sums.begin());
  sums.pop_back();
  return sums;
}

std::int64_t Model::boundary(int block) const {
  return boundaries()[static_cast<std::size_t>(block)];
}

std::span<const Operator> Model::operators_of(int first_block, int count) const {
  const auto before = [](const Operator& op, int block) { return op.block < block; };
  const auto begin = std::lower_bound(operators.begin(), operators.end(), first_block, before);
  const auto end = std::lower_bound(begin, operators.end(), first_block + count, before);
  return {begin, end};
}

bool same_cost(const Operator& a, const Operator& b) {
  const auto costs = [](const Operator& op) {
    return std::tie(op.kind, op.product.rows, op.product.inner, op.product.columns,
                    op.product.count, op.parameters, op.output, op.read, op.written,
                    op.backward_moved, op.saved, op.masks, op.tensor, op.experts, op.gathered,
                    op.tables, op.table_parameters, op.kept, op.core_attention, op.causal,
                    op.fused);
  };
  return costs(a) == costs(b);
}

}  // namespace loom::model
