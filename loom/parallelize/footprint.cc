#include "loom/parallelize/footprint.h"

#include <algorithm>
#include <cmath>

#include "loom/parallelize/operator_split.h"

namespace loom::parallelize {
namespace {

// Bytes of the input of a block, which full recomputation keeps. The input of the first block is
// the sample, which is not modeled: the output of the block counts instead.
double block_input(std::span<const std::int64_t> boundaries, const ShardedModel& it, int block) {
  const Strategy& strategy = it.strategy;
  const std::int64_t elements = boundaries[static_cast<std::size_t>(std::max(0, block - 1))];
  const int shards = strategy.sequence_parallel ? strategy.tensor : 1;
  return static_cast<double>(elements) * strategy.micro_batch * bytes_of(it.job.precision) /
         strategy.context / shards;
}

// The split of an operator of the model.
OperatorSplit split_in(const model::Model& model, const Strategy& strategy,
                       const model::Operator& op) {
  return split_of(strategy, static_cast<std::size_t>(&op - model.operators.data()));
}

// Bytes that a chunk keeps per micro-batch, and the additional bytes to recompute its largest
// block.
struct ChunkKept {
  double kept = 0;
  double redone = 0;
};

// The operator with only those saved tensors that selective recomputation keeps: queries, keys and
// values. The product for the scores saves nothing else, and is unchanged. An operator that reads
// results of core attention keeps `gathered`: the weighted sum its values, the softmax nothing.
model::Operator from_outside(const model::Model& model, model::Operator op) {
  for (const int input : op.inputs) {
    if (!model.operators[static_cast<std::size_t>(input)].core_attention) continue;
    op.saved = op.gathered;
    op.masks = 0;
  }
  return op;
}

ChunkKept chunk_kept(const model::Model& model, std::span<const std::int64_t> boundaries,
                     const ShardedModel& it, const Chunk& chunk) {
  ChunkKept sum;
  const Recompute recompute = it.strategy.recompute;
  std::vector<double> blocks(static_cast<std::size_t>(chunk.block_count), 0);
  for (const model::Operator& op : model.operators_of(chunk.first_block, chunk.block_count)) {
    const int block = op.block - chunk.first_block;
    const OperatorSplit split = split_in(model, it.strategy, op);
    const double bytes = kept_bytes(op, it.job, it.strategy, split);
    double again = 0;
    if (recompute == Recompute::full && !op.kept) again = bytes;
    if (recompute == Recompute::selective && op.core_attention && !op.fused) {
      again = bytes - kept_bytes(from_outside(model, op), it.job, it.strategy, split);
    }
    sum.kept += bytes - again;
    blocks[static_cast<std::size_t>(block)] += again;
  }
  for (int b = 0; b < chunk.block_count; ++b) {
    if (recompute == Recompute::full)
      sum.kept += block_input(boundaries, it, chunk.first_block + b);
    sum.redone = std::max(sum.redone, blocks[static_cast<std::size_t>(b)]);
  }
  return sum;
}

StageMemory stage_memory(const model::Model& model, std::span<const std::int64_t> boundaries,
                         const ShardedModel& sharded, int stage) {
  const Strategy& strategy = sharded.strategy;
  const Held held = held_parameters(model, sharded, stage);
  const auto spread = [&](int from) { return held.spread(strategy, strategy.zero >= from); };
  double kept = 0;
  double redone = 0;
  for (const Chunk& chunk : sharded.chunks) {
    if (chunk.stage != stage) continue;
    const ChunkKept one = chunk_kept(model, boundaries, sharded, chunk);
    kept += one.kept;
    redone = std::max(redone, one.redone);
  }
  const double in_flight =
      static_cast<double>(chunks_in_flight(strategy, sharded.micro_batches, stage)) /
      strategy.interleave;
  const double state = state_bytes(sharded.job);
  return {.weights = rounded_up((spread(3) + held.tables) * bytes_of(sharded.job.precision)),
          .gradients = rounded_up((spread(2) + held.touched) * sharded.job.gradient_bytes),
          .optimizer = rounded_up((spread(1) + held.tables) * state),
          .activations = rounded_up(kept * in_flight + redone)};
}

}  // namespace

double Held::spread(const Strategy& strategy, bool spread) const {
  const double replicas = spread ? strategy.data * strategy.context : 1;
  const double expert_replicas = spread ? replicas / strategy.expert : 1;
  return dense / replicas + expert / expert_replicas +
         shared / (spread ? ranks_of(Span::all_data, strategy) : 1);
}

Held held_parameters(const model::Operator& op, const Job& job, const Strategy& strategy,
                     OperatorSplit split) {
  auto parameters = static_cast<double>(op.parameters);
  if (split != OperatorSplit::uniform) {
    if (op.tables == 0) return {.shared = parameters};
    const auto touched = static_cast<double>(touched_parameters(op, job.batch));
    const int owners = strategy.data * strategy.tensor;
    return {.tables = parameters / owners, .touched = touched / owners};
  }
  const bool shards =
      op.tensor == model::TensorSharding::column || op.tensor == model::TensorSharding::row;
  if (shards) parameters /= strategy.tensor;
  if (op.tables > 0) {
    const auto touched = static_cast<double>(touched_parameters(op, job.batch));
    return {.tables = parameters / strategy.data, .touched = touched / strategy.data};
  }
  if (op.experts > 0) return {.expert = parameters / strategy.expert};
  return {.dense = parameters};
}

Held held_parameters(const model::Model& model, const ShardedModel& sharded, int stage) {
  Held sum;
  for (const Chunk& chunk : sharded.chunks) {
    if (chunk.stage != stage) continue;
    for (const model::Operator& op : model.operators_of(chunk.first_block, chunk.block_count)) {
      const Held held =
          held_parameters(op, sharded.job, sharded.strategy, split_in(model, sharded.strategy, op));
      sum.dense += held.dense;
      sum.expert += held.expert;
      sum.shared += held.shared;
      sum.tables += held.tables;
      sum.touched += held.touched;
    }
  }
  return sum;
}

double kept_bytes(const model::Operator& op, const Job& job, const Strategy& strategy,
                  OperatorSplit split) {
  const bool sharded = op.tensor == model::TensorSharding::row ||
                       op.tensor == model::TensorSharding::sharded ||
                       split != OperatorSplit::uniform;
  const int shards = sharded || strategy.sequence_parallel ? strategy.tensor : 1;
  const double load = op.experts > 0 ? std::max(job.capacity, job.imbalance) : 1;
  const double bytes =
      static_cast<double>(op.saved) * bytes_of(job.precision) + static_cast<double>(op.masks);
  return bytes * load * strategy.micro_batch / strategy.context / shards;
}

// Before its first backward task, a stage runs `ahead` forward tasks and one more. 1F1B: `ahead` is
// the number of later stages. Interleaved (arXiv 2104.04473, as in Megatron-LM): twice that number,
// plus one task per stage for each further chunk.
int chunks_in_flight(const Strategy& strategy, int micro_batches, int stage) {
  const int all = micro_batches * strategy.interleave;
  if (strategy.schedule == PipelineSchedule::gpipe) return all;
  const int behind = strategy.pipeline - stage - 1;
  const int ahead = strategy.interleave == 1
                        ? behind
                        : 2 * behind + (strategy.interleave - 1) * strategy.pipeline;
  return std::min(all, ahead + 1);
}

// Optimizer moments in fp32, plus a master copy if the weights are not fp32.
int state_bytes(const Job& job) {
  return (job.optimizer == Optimizer::adam ? 8 : 4) + (bytes_of(job.precision) < 4 ? 4 : 0);
}

std::vector<StageMemory> stage_memories(const model::Model& model, const ShardedModel& sharded) {
  const std::vector<std::int64_t> boundaries = model.boundaries();
  std::vector<StageMemory> memory;
  for (int stage = 0; stage < sharded.strategy.pipeline; ++stage) {
    memory.push_back(stage_memory(model, boundaries, sharded, stage));
  }
  return memory;
}

}  // namespace loom::parallelize
