// A model sharded by a strategy: the steps of computation and communication of each pipeline stage
// for one micro-batch, and the memory of its devices.
//
// A step depends on earlier steps of the same task; a task is one micro-batch forward or backward
// through one chunk of layers.
#pragma once

#include <vector>

#include "loom/model/operator_time.h"
#include "loom/parallelize/strategy.h"
#include "loom/workload/collective.h"

namespace loom::parallelize {

// Participants of the communication of a step: the ranks that differ only in these dimensions.
enum class Span : std::uint8_t {
  tensor,
  context,
  expert,
  data,         // all replicas of a dense weight: data and context ranks
  expert_data,  // all replicas of an expert's weight
  all_data,  // all replicas of a weight that each tensor rank has: tensor, data and context ranks
};
inline constexpr std::array<std::string_view, 6> kSpanNames = {"tensor", "context", "expert",
                                                               "data",   "data",    "data"};

// Number of ranks of a span.
int ranks_of(Span span, const Strategy& strategy);

struct Step {
  bool communicates = false;
  Duration time{0};                                                      // computation
  workload::CollectiveKind kind = workload::CollectiveKind::all_reduce;  // communication
  Span span = Span::tensor;
  Bytes size;
  int block = 0;
  std::vector<int> after;  // steps that it waits for; empty: it starts with the task
  bool gradient = false;   // the optimizer waits for it; later steps do only without overlap
};

struct Task {
  std::vector<Step> steps;
  int last = -1;  // the step that ends the main chain
};

// A bucket of gradients, reduced once per iteration.
struct Bucket {
  Bytes gradients;
  Bytes weights;  // size of the weights that these gradients update
  Span span = Span::data;
  int ready = 0;  // step of the backward task at which the bucket is complete
};

struct Chunk {
  int stage = 0;
  int first_block = 0;
  int block_count = 0;
  Task forward;
  Task backward;
  std::vector<Bucket> buckets;  // in the order in which they fill
  Bytes output;                 // sent by one device to the next chunk; its gradient returns
};

struct StageMemory {
  Bytes weights;
  Bytes gradients;
  Bytes optimizer;
  Bytes activations;

  Bytes total() const { return weights + gradients + optimizer + activations; }
};

struct ShardedModel {
  Strategy strategy;
  Job job;
  int micro_batches = 1;
  std::vector<Chunk> chunks;             // in the order in which a micro-batch passes them
  std::vector<Duration> optimizer_time;  // per stage
  std::vector<StageMemory> memory;       // per stage: maximum over its devices
  double flops = 0;                      // per iteration over all devices, without recomputation
  double done_flops = 0;                 // including recomputation
};

// Time that a device takes to update this number of parameters.
Duration update_time(const Job& job, const model::Accelerator& accelerator, double parameters);

// Shards a model by a strategy. Requires that there is no objection().
ShardedModel shard(const model::Model& model, const Job& job, const Strategy& strategy,
                   const model::Accelerator& accelerator, const model::MeasuredTimes& measured);

}  // namespace loom::parallelize
