// How the tensor ranks of a strategy divide single operators: as the strategy divides all layers,
// or by samples, or by tokens.
//
// A strategy with a split per operator remains one strategy with pipeline stages, micro-batches and
// replicas. Samples are always divided over the data ranks too, so an operator that keeps the
// division of the strategy is partitioned along two dimensions. Where the layouts of consecutive
// operators over the tensor ranks differ, the tensor is exchanged.
#pragma once

#include <optional>
#include <vector>

#include "loom/model/operator_time.h"
#include "loom/parallelize/strategy.h"
#include "loom/workload/collective.h"

namespace loom::parallelize {

// Why the tensor ranks cannot divide this operator so; nothing if they can.
std::optional<Infeasible> objection(const model::Operator& op, const model::Model& model,
                                    const Strategy& strategy, OperatorSplit split);

inline OperatorSplit split_of(const Strategy& strategy, std::size_t op) {
  return strategy.splits.empty() ? OperatorSplit::uniform : strategy.splits[op];
}

// Layout of a tensor over the tensor ranks: complete on each, or divided.
enum class TensorLayout : std::uint8_t { whole, samples, tokens, features };

// A tensor that an operator is the first to need in another layout than it was computed in.
struct LayoutChange {
  int from = 0;  // operator that computes the tensor
  TensorLayout before = TensorLayout::whole;
  TensorLayout after = TensorLayout::whole;
};

struct OperatorLayouts {
  TensorLayout input = TensorLayout::whole;  // with all partial sums of gradients added up
  TensorLayout output = TensorLayout::whole;
  std::vector<LayoutChange> changes;
};

// The layouts of every operator. Between two operators that keep the division of the strategy
// nothing changes: their own collectives provide the layouts.
std::vector<OperatorLayouts> operator_layouts(const model::Model& model, const Strategy& strategy);

// The collective that makes a change, forward or backward; nothing if each rank has what it needs.
std::optional<workload::CollectiveKind> collective_of(TensorLayout before, TensorLayout after);

// The time of an operator on one tensor rank. Measured times are for the division of the strategy:
// with a split, an operator is assumed to deviate from its prediction by the same factor.
model::OperatorTime split_time(const model::Operator& op, OperatorSplit split,
                               const model::Division& division,
                               const model::Accelerator& accelerator, model::Precision precision,
                               const model::MeasuredTimes& measured);

}  // namespace loom::parallelize
