#include "loom/parallelize/operator_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace loom::parallelize {
namespace {

Duration scaled(Duration it, Duration measured, Duration predicted) {
  if (predicted.count() == 0) return it;
  return Duration(
      std::llround(seconds(measured) / seconds(predicted) * static_cast<double>(it.count())));
}

bool is_divided(TensorLayout it) {
  return it == TensorLayout::samples || it == TensorLayout::tokens;
}

// Computes the layouts of all operators: first of those that are fixed, then of the outputs of rows
// and the inputs of columns, which follow those of their neighbors.
class Layouts {
 public:
  Layouts(const model::Model& model, const Strategy& strategy)
      : model_(model),
        strategy_(strategy),
        base_(strategy.sequence_parallel ? TensorLayout::tokens : TensorLayout::whole),
        all_(model.operators.size()),
        readers_(model.operators.size()) {
    for (std::size_t op = 0; op < all_.size(); ++op) {
      for (const int input : model.operators[op].inputs) {
        readers_[static_cast<std::size_t>(input)].push_back(op);
      }
    }
  }

  std::vector<OperatorLayouts> run() {
    for (std::size_t op = 0; op < all_.size(); ++op) set_fixed(op);
    for (std::size_t op = 0; op < all_.size(); ++op) set_row_output(op);
    for (std::size_t op = 0; op < all_.size(); ++op) set_column_input(op);
    for (std::size_t op = 0; op < all_.size(); ++op) add_changes(op);
    return std::move(all_);
  }

 private:
  bool splits(std::size_t op) const { return split_of(strategy_, op) != OperatorSplit::uniform; }
  bool is(std::size_t op, model::TensorSharding sharding) const {
    return !splits(op) && model_.operators[op].tensor == sharding;
  }

  void set_fixed(std::size_t op) {
    OperatorLayouts& it = all_[op];
    it.input = it.output = base_;
    switch (split_of(strategy_, op)) {
      case OperatorSplit::sample:
        it.input = it.output = TensorLayout::samples;
        return;
      case OperatorSplit::sequence:
        it.input = it.output = TensorLayout::tokens;
        return;
      case OperatorSplit::uniform:
        break;
    }
    const model::TensorSharding sharding = model_.operators[op].tensor;
    if (sharding == model::TensorSharding::column) it.output = TensorLayout::features;
    if (sharding == model::TensorSharding::row) it.input = TensorLayout::features;
    if (sharding == model::TensorSharding::sharded) it.input = it.output = TensorLayout::features;
  }

  // The partial sums of a row are scattered if all readers but columns, which can gather their
  // input, need the same divided layout.
  void set_row_output(std::size_t op) {
    if (!is(op, model::TensorSharding::row) || model_.operators[op].experts > 0) return;
    std::set<TensorLayout> needed;
    for (const std::size_t reader : readers_[op]) {
      if (!is(reader, model::TensorSharding::column)) needed.insert(all_[reader].input);
    }
    if (needed.size() == 1 && is_divided(*needed.begin())) all_[op].output = *needed.begin();
  }

  void set_column_input(std::size_t op) {
    const model::Operator& it = model_.operators[op];
    if (!is(op, model::TensorSharding::column) || it.experts > 0) return;
    std::set<TensorLayout> made;
    for (const int input : it.inputs) made.insert(all_[static_cast<std::size_t>(input)].output);
    if (made.size() == 1 && is_divided(*made.begin())) all_[op].input = *made.begin();
  }

  void add_changes(std::size_t op) {
    for (const int input : model_.operators[op].inputs) {
      const auto from = static_cast<std::size_t>(input);
      const LayoutChange change = {input, all_[from].output, all_[op].input};
      if (change.before == change.after || (!splits(op) && !splits(from))) continue;
      if (made_.insert({input, change.after}).second) all_[op].changes.push_back(change);
    }
  }

  const model::Model& model_;
  const Strategy& strategy_;
  const TensorLayout base_;
  std::vector<OperatorLayouts> all_;
  std::vector<std::vector<std::size_t>> readers_;
  std::set<std::pair<int, TensorLayout>> made_;  // tensors in the layouts they were changed to
};

}  // namespace

std::vector<OperatorLayouts> operator_layouts(const model::Model& model, const Strategy& strategy) {
  return Layouts(model, strategy).run();
}

std::optional<workload::CollectiveKind> collective_of(TensorLayout before, TensorLayout after) {
  if (before == after || before == TensorLayout::whole) return std::nullopt;
  if (after == TensorLayout::whole) return workload::CollectiveKind::all_gather;
  return workload::CollectiveKind::all_to_all;
}

model::OperatorTime split_time(const model::Operator& op, OperatorSplit split,
                               const model::Division& division,
                               const model::Accelerator& accelerator, model::Precision precision,
                               const model::MeasuredTimes& measured) {
  const model::OperatorTime uniform = operator_time(op, division, accelerator, precision, measured);
  if (split == OperatorSplit::uniform) return uniform;
  model::Operator own = op;
  own.tensor = model::TensorSharding::replicated;
  model::Division divided = division;
  divided.tensor = 1;
  divided.sequence_parallel = false;
  if (split == OperatorSplit::sample) divided.samples /= division.tensor;
  if (split == OperatorSplit::sequence) divided.context *= division.tensor;
  const model::OperatorTime predicted = operator_time(own, divided, accelerator, precision, {});
  if (measured.empty()) return predicted;
  const model::OperatorTime usual = operator_time(op, division, accelerator, precision, {});
  return {scaled(predicted.forward, uniform.forward, usual.forward),
          scaled(predicted.backward, uniform.backward, usual.backward)};
}

std::optional<Infeasible> objection(const model::Operator& op, const model::Model& model,
                                    const Strategy& strategy, OperatorSplit split) {
  if (split == OperatorSplit::uniform) return std::nullopt;
  if (op.experts > 0) return Infeasible{fmt::format("{} is divided by its experts", op.name)};
  if (split == OperatorSplit::sample) {
    if (strategy.micro_batch % strategy.tensor == 0) return std::nullopt;
    return Infeasible{fmt::format("{} divides {} samples over tensor {}; a multiple is needed",
                                  op.name, strategy.micro_batch, strategy.tensor)};
  }
  const bool tokens = model.tokens > 0 && op.output % model.tokens == 0 &&
                      op.kind != model::OperatorKind::attention && op.tables == 0;
  if (!tokens) return Infeasible{fmt::format("{} has no tokens to divide", op.name)};
  const std::int64_t shards = std::int64_t{strategy.tensor} * strategy.context;
  if (model.tokens % shards == 0) return std::nullopt;
  return Infeasible{fmt::format("{} divides a sequence of {} over {} ranks; a divisor is needed",
                                op.name, model.tokens, shards)};
}

}  // namespace loom::parallelize
