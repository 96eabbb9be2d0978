#include "loom/parallelize/pipeline_order.h"

#include "loom/parallelize/footprint.h"

namespace loom::parallelize {
namespace {

// The k-th forward or k-th backward task of a stage with several chunks.
PipelineTask interleaved_task(const Strategy& it, int stage, int k, bool forward) {
  const int round = it.pipeline * it.interleave;
  const int within = k % round;
  const int position = within / it.pipeline;
  const int local = forward ? position : it.interleave - 1 - position;
  return {.forward = forward,
          .chunk = local * it.pipeline + stage,
          .micro_batch = k / round * it.pipeline + within % it.pipeline};
}

}  // namespace

std::vector<PipelineTask> stage_order(const Strategy& strategy, int micro_batches, int stage) {
  const int count = micro_batches * strategy.interleave;
  const int warm_up = chunks_in_flight(strategy, micro_batches, stage) - 1;
  const auto task = [&](int k, bool forward) {
    if (strategy.interleave > 1) return interleaved_task(strategy, stage, k, forward);
    return PipelineTask{.forward = forward, .chunk = stage, .micro_batch = k};
  };
  std::vector<PipelineTask> order;
  for (int k = 0; k < warm_up; ++k) order.push_back(task(k, true));
  for (int k = warm_up; k < count; ++k) {
    order.push_back(task(k, true));
    order.push_back(task(k - warm_up, false));
  }
  for (int k = count - warm_up; k < count; ++k) order.push_back(task(k, false));
  return order;
}

}  // namespace loom::parallelize
