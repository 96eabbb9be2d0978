// The order in which a pipeline stage runs its tasks.
#pragma once

#include <vector>

#include "loom/parallelize/strategy.h"

namespace loom::parallelize {

// One micro-batch through one chunk, forward or backward.
struct PipelineTask {
  bool forward = true;
  int chunk = 0;
  int micro_batch = 0;

  bool operator==(const PipelineTask&) const = default;
};

// The tasks of a stage in order. GPipe (arXiv 1811.06965): all forward tasks, then all backward
// tasks. 1F1B (PipeDream-Flush, arXiv 2006.09503): one forward task for each later stage, then
// forward and backward tasks alternate. Interleaved (arXiv 2104.04473, section 2.2): the same over
// several chunks, which take turns: each runs a group of as many micro-batches as there are stages.
std::vector<PipelineTask> stage_order(const Strategy& strategy, int micro_batches, int stage);

}  // namespace loom::parallelize
