#include "loom/parallelize/shard.h"

#include <algorithm>
#include <cmath>

#include "loom/model/kernel_time.h"
#include "loom/parallelize/footprint.h"
#include "loom/parallelize/task_builder.h"

namespace loom::parallelize {
namespace {

model::Division division_of(const Job& job, const Strategy& strategy) {
  return {.samples = strategy.micro_batch,
          .tensor = strategy.tensor,
          .context = strategy.context,
          .expert = strategy.expert,
          .sequence_parallel = strategy.sequence_parallel && strategy.tensor > 1,
          .expert_load = std::max(job.capacity, job.imbalance)};
}

// First block of a chunk; the sizes of chunks differ by at most one block.
int first_block(int blocks, int chunks, int chunk) {
  return static_cast<int>(std::int64_t{blocks} * chunk / chunks);
}

void add_flops(ShardedModel& it, const model::Model& model) {
  const auto batch = static_cast<double>(it.job.batch);
  it.flops = batch * static_cast<double>(model.training_flops());
  double again = 0;
  for (const model::Operator& op : model.operators) {
    const bool twice =
        it.strategy.recompute == Recompute::full
            ? !op.kept
            : it.strategy.recompute == Recompute::selective && op.core_attention && !op.fused;
    if (twice) again += static_cast<double>(op.flops());
  }
  it.done_flops = it.flops + batch * again;
}

}  // namespace

int ranks_of(Span span, const Strategy& strategy) {
  switch (span) {
    case Span::tensor:
      return strategy.tensor;
    case Span::context:
      return strategy.context;
    case Span::expert:
      return strategy.expert;
    case Span::data:
      return strategy.data * strategy.context;
    case Span::expert_data:
      return strategy.data * strategy.context / strategy.expert;
    case Span::all_data:
      return strategy.data * strategy.context * strategy.tensor;
  }
  LOOM_CHECK(false, "every span has its ranks");
}

// The gradient norm reads the gradients, clipping reads and writes them; fp16 also reads and writes
// them to unscale them. Adam reads the gradient, the master weight and two moments, writes the last
// three, and writes the weight; SGD with momentum has one moment.
Duration update_time(const Job& job, const model::Accelerator& accelerator, double parameters) {
  const double state = (job.optimizer == Optimizer::adam ? 16 : 8) +
                       (bytes_of(job.precision) < 4 ? 8 : 4);  // master copy, or the weight itself
  const double passes = job.precision == model::Precision::fp16 ? 6 : 4;
  const double bytes = state + passes * job.gradient_bytes + bytes_of(job.precision);
  return memory_time(accelerator, parameters * bytes);
}

ShardedModel shard(const model::Model& model, const Job& job, const Strategy& strategy,
                   const model::Accelerator& accelerator, const model::MeasuredTimes& measured) {
  ShardedModel sharded;
  sharded.strategy = strategy;
  sharded.job = job;
  sharded.micro_batches =
      static_cast<int>(job.batch / (std::int64_t{strategy.data} * strategy.micro_batch));
  const TaskBuilder builder({.model = model,
                             .job = job,
                             .strategy = strategy,
                             .division = division_of(job, strategy),
                             .accelerator = accelerator,
                             .measured = measured,
                             .micro_batches = sharded.micro_batches});
  const int chunks = strategy.pipeline * strategy.interleave;
  for (int c = 0; c < chunks; ++c) {
    Chunk chunk;
    chunk.stage = c % strategy.pipeline;
    chunk.first_block = first_block(model.blocks, chunks, c);
    chunk.block_count = first_block(model.blocks, chunks, c + 1) - chunk.first_block;
    builder.build(chunk);
    if (c + 1 < chunks) chunk.output = builder.boundary(chunk.first_block + chunk.block_count - 1);
    sharded.chunks.push_back(std::move(chunk));
  }
  for (int stage = 0; stage < strategy.pipeline; ++stage) {
    const Held held = held_parameters(model, sharded, stage);
    sharded.optimizer_time.push_back(
        update_time(job, accelerator, held.spread(strategy, strategy.zero > 0) + held.touched));
  }
  sharded.memory = stage_memories(model, sharded);
  add_flops(sharded, model);
  return sharded;
}

}  // namespace loom::parallelize
