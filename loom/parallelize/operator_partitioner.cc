#include "loom/parallelize/operator_partitioner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/base/error.h"

namespace loom::parallelize {
namespace {

// Maps a slice of a range of `of` units to a range of `length` units. Equal boundaries are rounded
// equally, so that adjacent slices stay adjacent.
Interval scaled(const Interval& slice, std::int64_t of, std::int64_t length) {
  const auto at = [&](std::int64_t grain) {
    return static_cast<std::int64_t>(Int128{grain} * length / of);
  };
  return {at(slice.begin), at(slice.end)};
}

std::int64_t slice_rounded_up(std::int64_t value, const Interval& slice, std::int64_t of) {
  return static_cast<std::int64_t>((Int128{value} * slice.length() + of - 1) / of);
}

// Reduces the output, the memory traffic and the activations saved for the backward pass to those
// of a slice of the operator.
void shrink(model::Operator& op, const Interval& slice, std::int64_t of) {
  for (std::int64_t* count :
       {&op.output, &op.read, &op.written, &op.backward_moved, &op.saved, &op.masks}) {
    *count = slice_rounded_up(*count, slice, of);
  }
}

// Reduces an operator to one shard of a partition by parameters. For the backward pass, a shard of
// the columns saves the whole input, a shard of the rows only its slice of the input.
void partition_parameters(model::Operator& op, model::TensorSharding sharding,
                          const Interval& slice, std::int64_t of) {
  model::MatrixProduct& product = op.product;
  const std::int64_t weights = product.inner * product.columns;
  const std::int64_t bias = weights > 0 ? op.parameters % weights : 0;
  op.parameters = scaled(slice, of, op.parameters).length();
  switch (sharding) {
    case model::TensorSharding::column:
      product.columns = scaled(slice, of, product.columns).length();
      break;
    case model::TensorSharding::row:
      product.inner = scaled(slice, of, product.inner).length();
      op.saved = slice_rounded_up(op.saved, slice, of);
      op.masks = slice_rounded_up(op.masks, slice, of);
      break;
    case model::TensorSharding::sharded:
      product.count = slice_rounded_up(product.count, slice, of);
      shrink(op, slice, of);
      break;
    case model::TensorSharding::replicated:
      LOOM_CHECK(false, "a replicated operator cannot be partitioned by parameters");
  }
  // model/operator_time.cc assumes a bias if the number of parameters is not a multiple of the size
  // of the weight matrix. Rounding must not change that: a shard must have a remainder if and only
  // if the operator has one.
  const std::int64_t shard_weights = product.inner * product.columns;
  if (shard_weights > 0 && (op.parameters % shard_weights != 0) != (bias != 0)) {
    op.parameters += bias != 0 ? 1 : -(op.parameters % shard_weights);
  }
}

bool by_parameters(const OperatorPartition& partition) {
  return partition.degree > 1 && partition.dimension == PartitionDimension::parameter;
}

Duration corrected(Duration shard, Duration whole, Duration measured) {
  if (whole == measured || whole.count() == 0) return shard;
  const double factor = static_cast<double>(measured.count()) / static_cast<double>(whole.count());
  return Duration(std::llround(static_cast<double>(shard.count()) * factor));
}

}  // namespace

OperatorPartitioner::OperatorPartitioner(const Input& input)
    : in_(input), shapes_(operator_shapes(in_.model)) {}

std::int64_t OperatorPartitioner::extent(int op, PartitionDimension dimension) const {
  const OperatorShape& shape = shapes_[static_cast<std::size_t>(op)];
  const model::Operator& it = in_.model.operators[static_cast<std::size_t>(op)];
  switch (dimension) {
    case PartitionDimension::sample:
      return in_.samples;
    case PartitionDimension::parameter:
      return std::max<std::int64_t>(1, shape.grain);
    case PartitionDimension::attribute:
      return it.experts > 0 ? 1 : shape.positions;
  }
  return 1;
}

std::optional<Infeasible> OperatorPartitioner::objection(int op,
                                                         const OperatorPartition& partition) const {
  const std::int64_t max_degree = extent(op, partition.dimension);
  if (partition.degree >= 1 && partition.degree <= max_degree) return std::nullopt;
  return Infeasible{fmt::format(
      "{} has degree {} by {}; the maximum is {}",
      in_.model.operators[static_cast<std::size_t>(op)].name, partition.degree,
      kPartitionDimensionNames[static_cast<std::size_t>(partition.dimension)], max_degree)};
}

Box OperatorPartitioner::whole(int op) const {
  const OperatorShape& shape = shapes_[static_cast<std::size_t>(op)];
  return {{0, in_.samples}, {0, shape.positions}, {0, shape.features}};
}

std::int64_t OperatorPartitioner::shard_samples(const OperatorPartition& partition,
                                                int shard) const {
  return partition.dimension == PartitionDimension::sample
             ? grains(in_.samples, partition.degree, shard).length()
             : in_.samples;
}

// One shard as an operator of its own.
model::Operator OperatorPartitioner::shard_operator(int op, const OperatorPartition& partition,
                                                    int shard) const {
  const OperatorShape& shape = shapes_[static_cast<std::size_t>(op)];
  model::Operator it = in_.model.operators[static_cast<std::size_t>(op)];
  if (partition.degree == 1 || partition.dimension == PartitionDimension::sample) return it;
  const std::int64_t count = extent(op, partition.dimension);
  const Interval slice = grains(count, partition.degree, shard);
  if (partition.dimension == PartitionDimension::parameter) {
    partition_parameters(it, shape.sharding, slice, count);
    return it;
  }
  it.product.rows = slice_rounded_up(it.product.rows, slice, count);
  shrink(it, slice, count);
  return it;
}

// Measured times are for the whole operator: each shard is assumed to deviate from its prediction
// by the same factor.
model::OperatorTime OperatorPartitioner::shard_time(int op, const OperatorPartition& partition,
                                                    int shard) const {
  const model::Operator& all = in_.model.operators[static_cast<std::size_t>(op)];
  const Job& job = in_.job;
  const double load = std::max(job.capacity, job.imbalance);
  const auto time = [&](const model::Operator& it, std::int64_t samples,
                        const model::MeasuredTimes& measured) {
    return operator_time(it, {.samples = samples, .expert_load = load}, in_.accelerator,
                         job.precision, measured);
  };
  if (partition.degree == 1) return time(all, in_.samples, in_.measured);
  model::OperatorTime it =
      time(shard_operator(op, partition, shard), shard_samples(partition, shard), {});
  if (in_.measured.empty()) return it;
  const model::OperatorTime whole = time(all, in_.samples, {});
  const model::OperatorTime known = time(all, in_.samples, in_.measured);
  it.forward = corrected(it.forward, whole.forward, known.forward);
  it.backward = corrected(it.backward, whole.backward, known.backward);
  return it;
}

// The slice of the output of `of` that belongs to a shard of an operator with this partition.
Box OperatorPartitioner::slice(int of, const OperatorPartition& partition, int shard,
                               const OperatorShape& shape) const {
  Box box = whole(of);
  if (partition.degree == 1) return box;
  switch (partition.dimension) {
    case PartitionDimension::sample:
      box.samples = grains(in_.samples, partition.degree, shard);
      break;
    case PartitionDimension::parameter:
      box.features =
          scaled(grains(shape.grain, partition.degree, shard), shape.grain, box.features.end);
      break;
    case PartitionDimension::attribute:
      box.positions = scaled(grains(shape.positions, partition.degree, shard), shape.positions,
                             box.positions.end);
      break;
  }
  return box;
}

Boxes OperatorPartitioner::output(int op, const OperatorPartition& partition, int shard) const {
  const OperatorShape& shape = shapes_[static_cast<std::size_t>(op)];
  const bool sums = partition.dimension == PartitionDimension::parameter &&
                    shape.sharding == model::TensorSharding::row;
  return {sums ? whole(op) : slice(op, partition, shard, shape)};
}

// The boxes of an input that a shard of a partition by attributes needs. Attention reads its own
// queries and the keys and values of all positions, which are the last features of its input; a
// convolution reads a few more rows than it writes.
Boxes OperatorPartitioner::attribute_need(int op, std::size_t input,
                                          const OperatorPartition& partition, int shard) const {
  const OperatorShape& shape = shapes_[static_cast<std::size_t>(op)];
  const model::Operator& it = in_.model.operators[static_cast<std::size_t>(op)];
  const int from = it.inputs[input];
  const Box all = whole(from);
  if (all.positions.end == 1) return {all};
  Box own = slice(from, partition, shard, shape);
  const Interval rows = grains(shape.positions, partition.degree, shard);
  if (all.positions.end != shape.positions || shape.filter > 1) {
    const std::int64_t stride = (all.positions.end + shape.positions - 1) / shape.positions;
    const std::int64_t beside = shape.filter / 2;
    own.positions = overlap(all.positions, {rows.begin * stride - beside,
                                            (rows.end - 1) * stride + shape.filter - beside});
    if (shape.filter == 1) own.positions.end = std::min(rows.end * stride, all.positions.end);
  }
  if (it.gathered == 0) return {own};
  const std::int64_t others = std::min(it.gathered / all.positions.end, all.features.end);
  Box before = all;
  before.features.begin = all.features.end - others;
  if (input > 0) return {before};  // keys and values of all positions
  if (it.inputs.size() > 1) return {own};
  Box after = before;
  before.positions.end = own.positions.begin;
  after.positions.begin = own.positions.end;
  return {own, before, after};
}

Boxes OperatorPartitioner::need(int op, std::size_t input, const OperatorPartition& partition,
                                int shard) const {
  const OperatorShape& shape = shapes_[static_cast<std::size_t>(op)];
  const int from = in_.model.operators[static_cast<std::size_t>(op)].inputs[input];
  if (partition.degree == 1) return {whole(from)};
  if (partition.dimension == PartitionDimension::attribute)
    return attribute_need(op, input, partition, shard);
  const bool all = partition.dimension == PartitionDimension::parameter &&
                   shape.sharding == model::TensorSharding::column;
  return {all ? whole(from) : slice(from, partition, shard, shape)};
}

Shard OperatorPartitioner::shard(int op, const OperatorPartition& partition, int index) const {
  const model::Operator& it = in_.model.operators[static_cast<std::size_t>(op)];
  const std::int64_t grain = shapes_[static_cast<std::size_t>(op)].grain;
  const model::Operator slice = shard_operator(op, partition, index);
  const model::OperatorTime time = shard_time(op, partition, index);
  const auto samples = shard_samples(partition, index);
  const double load = it.experts > 0 ? std::max(in_.job.capacity, in_.job.imbalance) : 1;
  const double kept =
      static_cast<double>(slice.saved) * activation_bytes() + static_cast<double>(slice.masks);
  Shard shard;
  shard.forward = time.forward;
  shard.backward = time.backward;
  shard.parameters =
      by_parameters(partition)
          ? scaled(grains(grain, partition.degree, index), grain, it.parameters).length()
          : it.parameters;
  shard.updated = shard.parameters;
  if (it.tables > 0) shard.updated = std::min(shard.updated, touched_parameters(slice, samples));
  shard.kept = {static_cast<std::int64_t>(std::ceil(kept * load * static_cast<double>(samples)))};
  shard.output = output(op, partition, index);
  return shard;
}

PartitionedOperator OperatorPartitioner::partition(int op,
                                                   const OperatorPartition& partition) const {
  const model::Operator& it = in_.model.operators[static_cast<std::size_t>(op)];
  const model::TensorSharding sharding = shapes_[static_cast<std::size_t>(op)].sharding;
  PartitionedOperator made;
  made.name = it.name;
  made.partition = partition;
  made.sums = by_parameters(partition) && sharding == model::TensorSharding::row;
  made.shared = partition.degree > 1 && !by_parameters(partition) && it.parameters > 0;
  made.inputs = it.inputs;
  made.needs.resize(it.inputs.size());
  made.whole = whole(op);
  made.element_bytes = activation_bytes();
  for (int p = 0; p < partition.degree; ++p) {
    made.shards.push_back(shard(op, partition, p));
    for (std::size_t i = 0; i < it.inputs.size(); ++i) {
      made.needs[i].push_back(need(op, i, partition, p));
    }
  }
  return made;
}

}  // namespace loom::parallelize
