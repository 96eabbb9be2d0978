#include "loom/parallelize/strategy.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom {
namespace {

std::string object_layers(const Model& model, const Strategy& it) {
  if (it.interleave > 1 && it.pipeline == 1) {
    return fmt::format("{} chunks on one stage; at least two stages are needed", it.interleave);
  }
  if (std::int64_t{it.pipeline} * it.interleave > model.blocks) {
    return fmt::format(
        "{} stages of {} chunks for {} blocks; at most one chunk per block is "
        "possible",
        it.pipeline, it.interleave, model.blocks);
  }
  if (it.interleave > 1 && it.schedule != PipelineSchedule::interleaved) {
    return fmt::format("{} chunks per stage with schedule {}; interleaved is needed", it.interleave,
                       kScheduleNames[static_cast<std::size_t>(it.schedule)]);
  }
  return "";
}

// An iteration is simulated task by task; this many micro-batches × blocks take a few seconds.
constexpr std::int64_t kMaxBlockTasks = 1'000'000;

std::string object_batch(const Model& model, const Job& job, const Strategy& it) {
  const std::int64_t step = std::int64_t{it.data} * it.micro_batch;
  if (job.batch % step != 0) {
    return fmt::format(
        "a batch of {} over {} data ranks in micro-batches of {}; a multiple of {} "
        "is needed",
        job.batch, it.data, it.micro_batch, step);
  }
  const std::int64_t count = job.batch / step;
  if (count > kMaxBlockTasks / std::max(1, model.blocks)) {
    return fmt::format("{} micro-batches through {} blocks; a product of at most {} is needed",
                       count, model.blocks, kMaxBlockTasks);
  }
  if (it.interleave > 1 && count % it.pipeline != 0) {
    return fmt::format("{} micro-batches over {} interleaved stages; a multiple is needed", count,
                       it.pipeline);
  }
  return "";
}

std::string object_tensor(const Model& model, const Strategy& it) {
  if (it.tensor == 1) return "";
  bool partitionable = false;
  for (const Operator& op : model.operators) {
    partitionable = partitionable || op.tensor != TensorSharding::replicated;
    const std::int64_t heads = op.product.count / (op.fused ? 2 : 1);  // fused: two products each
    const bool sharded_by_heads =
        op.kind == OperatorKind::attention && op.tensor == TensorSharding::sharded;
    if (sharded_by_heads && heads % it.tensor != 0) {
      return fmt::format("{} attention heads over tensor {}; a divisor is needed", heads,
                         it.tensor);
    }
  }
  return partitionable
             ? ""
             : fmt::format("tensor {}; {} has no operator that tensor parallelism could partition",
                           it.tensor, model.name);
}

}  // namespace

std::string to_text(const Strategy& strategy) {
  std::string text;
  const auto say = [&](std::string_view what, int value) {
    if (value > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, value);
  };
  say("operators over", strategy.operators);
  say("tensor", strategy.tensor);
  say("context", strategy.context);
  say("pipeline", strategy.pipeline);
  say("data", strategy.data);
  say("expert", strategy.expert);
  if (text.empty()) text = "one device";
  if (strategy.operators > 1) return text;
  if (strategy.micro_batch > 0) text += fmt::format(", micro-batch {}", strategy.micro_batch);
  if (strategy.pipeline > 1) {
    text += fmt::format(", {}", kScheduleNames[static_cast<std::size_t>(strategy.schedule)]);
    if (strategy.interleave > 1) text += fmt::format(" {}", strategy.interleave);
  }
  if (strategy.zero > 0) text += fmt::format(", zero {}", strategy.zero);
  if (strategy.sequence_parallel && strategy.tensor > 1) text += ", sequence parallel";
  if (strategy.recompute != Recompute::none) {
    text += fmt::format(", {} recomputation",
                        kRecomputeNames[static_cast<std::size_t>(strategy.recompute)]);
  }
  if (strategy.order != Strategy{}.order) {
    text += ", order";
    for (const Dimension d : strategy.order) {
      text += fmt::format(" {}", kDimensionNames[static_cast<std::size_t>(d)]);
    }
  }
  return text;
}

std::string objection(const Model& model, const Job& job, const Strategy& strategy) {
  std::string wrong = object_layers(model, strategy);
  if (wrong.empty()) wrong = object_batch(model, job, strategy);
  if (wrong.empty()) wrong = object_tensor(model, strategy);
  if (!wrong.empty()) return wrong;
  const int shards = strategy.context * (strategy.sequence_parallel ? strategy.tensor : 1);
  if (strategy.sequence_parallel && model.tokens == 0) {
    return fmt::format("sequence_parallel; {} has no sequence to partition", model.name);
  }
  if (strategy.context > 1 && model.tokens == 0) {
    return fmt::format("context {}; {} has no sequence to partition", strategy.context, model.name);
  }
  if (model.tokens > 0 && model.tokens % shards != 0) {
    return fmt::format("a sequence of {} over {} ranks; a divisor is needed", model.tokens, shards);
  }
  if (strategy.data % strategy.expert != 0) {
    return fmt::format("expert {} inside data {}; a divisor is needed", strategy.expert,
                       strategy.data);
  }
  if (strategy.expert > 1 && (model.experts == 0 || model.experts % strategy.expert != 0)) {
    return fmt::format("{} experts over expert {}; a divisor is needed", model.experts,
                       strategy.expert);
  }
  return "";
}

}  // namespace loom
