#include "loom/parallelize/strategy.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom {
namespace {

std::string object_layers(const Model& model, const Strategy& it) {
  if (it.pipeline * it.interleave > model.blocks) {
    return fmt::format("{} stages of {} chunks for {} blocks; at most one chunk a block is needed",
                       it.pipeline, it.interleave, model.blocks);
  }
  if (it.interleave > 1 && it.schedule != PipelineSchedule::interleaved) {
    return fmt::format("{} chunks a stage with schedule {}; interleaved is needed", it.interleave,
                       kScheduleNames[static_cast<std::size_t>(it.schedule)]);
  }
  return "";
}

// An iteration is simulated task by task: so many micro-batches through blocks are a few seconds.
constexpr std::int64_t kMostBlockTasks = 10'000'000;

std::string object_batch(const Model& model, const Job& job, const Strategy& it) {
  const std::int64_t step = std::int64_t{it.data} * it.micro_batch;
  if (job.batch % step != 0) {
    return fmt::format(
        "a batch of {} over {} data ranks in micro-batches of {}; a multiple of {} "
        "is needed",
        job.batch, it.data, it.micro_batch, step);
  }
  const std::int64_t count = job.batch / step;
  if (count > kMostBlockTasks / std::max(1, model.blocks)) {
    return fmt::format("{} micro-batches through {} blocks; at most {} together can be simulated",
                       count, model.blocks, kMostBlockTasks);
  }
  if (it.interleave > 1 && count % it.pipeline != 0) {
    return fmt::format("{} micro-batches over {} interleaved stages; a multiple is needed", count,
                       it.pipeline);
  }
  return "";
}

std::string object_tensor(const Model& model, const Strategy& it) {
  if (it.tensor == 1) return "";
  bool cut = false;
  for (const Operator& op : model.operators) {
    cut = cut || op.tensor != TensorSplit::replicated;
    const std::int64_t heads = op.product.count / (op.fused ? 2 : 1);  // fused: two products each
    if (op.kind == OperatorKind::attention && heads % it.tensor != 0) {
      return fmt::format("{} attention heads over tensor {}; a divisor is needed", heads,
                         it.tensor);
    }
  }
  return cut ? ""
             : fmt::format("tensor {}; {} has nothing that it could cut", it.tensor, model.name);
}

}  // namespace

std::string to_text(const Strategy& it) {
  std::string text;
  const auto say = [&](std::string_view what, int value) {
    if (value > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", what, value);
  };
  say("tensor", it.tensor);
  say("context", it.context);
  say("pipeline", it.pipeline);
  say("data", it.data);
  say("expert", it.expert);
  if (text.empty()) text = "one device";
  text += fmt::format(", micro-batch {}", it.micro_batch);
  if (it.pipeline > 1) {
    text += fmt::format(", {}", kScheduleNames[static_cast<std::size_t>(it.schedule)]);
    if (it.interleave > 1) text += fmt::format(" {}", it.interleave);
  }
  if (it.zero > 0) text += fmt::format(", zero {}", it.zero);
  if (it.sequence_parallel && it.tensor > 1) text += ", sequence parallel";
  if (it.recompute != Recompute::none) {
    text +=
        fmt::format(", {} recomputation", kRecomputeNames[static_cast<std::size_t>(it.recompute)]);
  }
  if (it.order != Strategy{}.order) {
    text += ", order";
    for (const Dimension d : it.order) {
      text += fmt::format(" {}", kDimensionNames[static_cast<std::size_t>(d)]);
    }
  }
  return text;
}

std::string objection(const Model& model, const Job& job, const Strategy& it) {
  std::string wrong = object_layers(model, it);
  if (wrong.empty()) wrong = object_batch(model, job, it);
  if (wrong.empty()) wrong = object_tensor(model, it);
  if (!wrong.empty()) return wrong;
  const int pieces = it.context * (it.sequence_parallel ? it.tensor : 1);
  if (it.context > 1 && model.tokens == 0) {
    return fmt::format("context {}; {} has no sequence to cut", it.context, model.name);
  }
  if (model.tokens > 0 && model.tokens % pieces != 0) {
    return fmt::format("a sequence of {} in {} pieces; a divisor is needed", model.tokens, pieces);
  }
  if (it.data % it.expert != 0) {
    return fmt::format("expert {} inside data {}; a divisor is needed", it.expert, it.data);
  }
  if (it.expert > 1 && (model.experts == 0 || model.experts % it.expert != 0)) {
    return fmt::format("{} experts over expert {}; a divisor is needed", model.experts, it.expert);
  }
  return "";
}

}  // namespace loom
