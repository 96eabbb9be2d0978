// In which order a pipeline stage does its tasks.
#pragma once

#include <vector>

#include "loom/parallelize/strategy.h"

namespace loom {

// One micro-batch through one chunk, one way.
struct PipelineTask {
  bool forward = true;
  int chunk = 0;
  int micro_batch = 0;

  bool operator==(const PipelineTask&) const = default;
};

// GPipe (arXiv 1811.06965): all forward, then all backward. 1F1B (PipeDream-Flush, arXiv
// 2006.09503): as many forward as stages are behind, then one of each in turn. Interleaved (arXiv
// 2104.04473, section 2.2): the same over several chunks, micro-batches going through in groups of
// as many as there are stages.
std::vector<PipelineTask> stage_order(const Strategy& strategy, int micro_batches, int stage);

}  // namespace loom
