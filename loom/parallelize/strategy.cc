#include "loom/parallelize/strategy.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/parallelize/operator_split.h"

namespace loom::parallelize {
namespace {

std::optional<Infeasible> object_layers(const model::Model& model, const Strategy& it) {
  if (it.interleave > 1 && it.pipeline == 1) {
    return Infeasible{
        fmt::format("{} chunks on one stage; at least two stages are needed", it.interleave)};
  }
  if (std::int64_t{it.pipeline} * it.interleave > model.blocks) {
    return Infeasible{
        fmt::format("{} stages of {} chunks for {} blocks; at most one chunk per block is possible",
                    it.pipeline, it.interleave, model.blocks)};
  }
  if (it.interleave > 1 && it.schedule != PipelineSchedule::interleaved) {
    return Infeasible{fmt::format("{} chunks per stage with schedule {}; interleaved is needed",
                                  it.interleave,
                                  kScheduleNames[static_cast<std::size_t>(it.schedule)])};
  }
  return std::nullopt;
}

// Maximum of micro-batches × blocks. An iteration is simulated task by task, so this many take a
// few seconds.
constexpr std::int64_t kMaxBlockTasks = 1'000'000;

std::optional<Infeasible> object_batch(const model::Model& model, const Job& job,
                                       const Strategy& it) {
  const std::int64_t step = std::int64_t{it.data} * it.micro_batch;
  if (job.batch % step != 0) {
    return Infeasible{fmt::format(
        "a batch of {} over {} data ranks in micro-batches of {}; a multiple of {} is needed",
        job.batch, it.data, it.micro_batch, step)};
  }
  const std::int64_t count = job.batch / step;
  if (count > kMaxBlockTasks / std::max(1, model.blocks)) {
    return Infeasible{
        fmt::format("{} micro-batches through {} blocks; a product of at most {} is needed", count,
                    model.blocks, kMaxBlockTasks)};
  }
  if (it.interleave > 1 && count % it.pipeline != 0) {
    return Infeasible{fmt::format(
        "{} micro-batches over {} interleaved stages; a multiple is needed", count, it.pipeline)};
  }
  return std::nullopt;
}

std::optional<Infeasible> object_tensor(const model::Model& model, const Strategy& it) {
  if (it.tensor == 1) return std::nullopt;
  bool partitionable = false;
  for (std::size_t o = 0; o < model.operators.size(); ++o) {
    const model::Operator& op = model.operators[o];
    partitionable = partitionable || op.tensor != model::TensorSharding::replicated;
    if (split_of(it, o) != OperatorSplit::uniform) continue;
    const std::int64_t heads = op.product.count / (op.fused ? 2 : 1);  // fused: two products each
    const bool sharded_by_heads =
        op.kind == model::OperatorKind::attention && op.tensor == model::TensorSharding::sharded;
    if (sharded_by_heads && heads % it.tensor != 0) {
      return Infeasible{
          fmt::format("{} attention heads over tensor {}; a divisor is needed", heads, it.tensor)};
    }
  }
  if (partitionable) return std::nullopt;
  return Infeasible{
      fmt::format("tensor {}; {} has no operator that tensor parallelism could partition",
                  it.tensor, model.name)};
}

std::optional<Infeasible> object_sequence(const model::Model& model, const Strategy& it) {
  if (it.sequence_parallel && model.tokens == 0) {
    return Infeasible{
        fmt::format("sequence_parallel; {} has no sequence to partition", model.name)};
  }
  if (it.context > 1 && model.tokens == 0) {
    return Infeasible{
        fmt::format("context {}; {} has no sequence to partition", it.context, model.name)};
  }
  const int shards = it.context * (it.sequence_parallel ? it.tensor : 1);
  if (model.tokens > 0 && model.tokens % shards != 0) {
    return Infeasible{
        fmt::format("a sequence of {} over {} ranks; a divisor is needed", model.tokens, shards)};
  }
  return std::nullopt;
}

std::optional<Infeasible> object_splits(const model::Model& model, const Strategy& it) {
  if (it.splits.empty()) return std::nullopt;
  for (std::size_t o = 0; o < model.operators.size(); ++o) {
    if (auto no = objection(model.operators[o], model, it, it.splits[o])) return no;
  }
  return std::nullopt;
}

std::optional<Infeasible> object_experts(const model::Model& model, const Strategy& it) {
  if (it.data % it.expert != 0) {
    return Infeasible{
        fmt::format("expert {} inside data {}; a divisor is needed", it.expert, it.data)};
  }
  if (it.expert > 1 && (model.experts == 0 || model.experts % it.expert != 0)) {
    return Infeasible{
        fmt::format("{} experts over expert {}; a divisor is needed", model.experts, it.expert)};
  }
  return std::nullopt;
}

}  // namespace

std::array<int, 5> extents(const Strategy& strategy) {
  return {strategy.tensor, strategy.context, strategy.expert, strategy.data / strategy.expert,
          strategy.pipeline};
}

std::vector<Dimension> visible_order(const Strategy& strategy) {
  std::vector<Dimension> order;
  const std::array<int, 5> ranks = extents(strategy);
  for (const Dimension d : strategy.order) {
    if (ranks[static_cast<std::size_t>(d)] > 1) order.push_back(d);
  }
  return order;
}

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
  for (const OperatorSplit split : {OperatorSplit::sample, OperatorSplit::sequence}) {
    const auto count = std::count(strategy.splits.begin(), strategy.splits.end(), split);
    if (count == 0) continue;
    text += fmt::format(", {} of {} operators by {}", count, strategy.splits.size(),
                        kSplitNames[static_cast<std::size_t>(split)]);
  }
  const std::vector<Dimension> order = visible_order(strategy);
  Strategy usual = strategy;
  usual.order = Strategy{}.order;
  if (order == visible_order(usual)) return text;
  text += ", order";
  for (const Dimension d : order) {
    text += fmt::format(" {}", kDimensionNames[static_cast<std::size_t>(d)]);
  }
  return text;
}

std::optional<Infeasible> objection(const model::Model& model, const Job& job,
                                    const Strategy& strategy) {
  auto no = object_layers(model, strategy);
  if (!no) no = object_batch(model, job, strategy);
  if (!no) no = object_tensor(model, strategy);
  if (!no) no = object_sequence(model, strategy);
  if (!no) no = object_experts(model, strategy);
  if (!no) no = object_splits(model, strategy);
  return no;
}

}  // namespace loom::parallelize
