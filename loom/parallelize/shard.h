// A model cut by a strategy: what each pipeline stage does for one micro-batch, in steps of
// computation and communication, and what each of its devices holds.
//
// A step waits for the steps it names, of the same task; a task is one micro-batch forward or
// backward through one chunk of layers.
#pragma once

#include <vector>

#include "loom/model/operator_time.h"
#include "loom/parallelize/strategy.h"
#include "loom/workload/collective.h"

namespace loom {

// Who takes part in a step's communication: the ranks that differ in these dimensions only.
enum class Span : std::uint8_t {
  tensor,
  context,
  expert,
  data,         // all replicas of a dense weight: data and context ranks
  expert_data,  // all replicas of an expert's weight
};
inline constexpr std::array<std::string_view, 5> kSpanNames = {"tensor", "context", "expert",
                                                               "data", "data"};

struct Step {
  bool communicates = false;
  Duration time{0};                                  // computation
  CollectiveKind kind = CollectiveKind::all_reduce;  // communication
  Span span = Span::tensor;
  Bytes size;
  int block = 0;
  std::vector<int> after;  // steps before it; empty: the task's begin
  bool gradient = false;   // the optimizer waits for it; the task itself only without overlap
};

struct Task {
  std::vector<Step> steps;
  int last = -1;  // the step that ends the main chain
};

// A piece of the gradients, reduced once in an iteration.
struct Bucket {
  Bytes gradients;
  Bytes weights;  // the same elements as weights
  Span span = Span::data;
  int ready = 0;  // after this step of the last micro-batch's backward
};

struct Chunk {
  int stage = 0;
  int first_block = 0;
  int block_count = 0;
  Task forward;
  Task backward;
  std::vector<Bucket> buckets;  // in the order in which they are ready
  Bytes output;                 // that one device passes to the next chunk, and gets back
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
  std::vector<Chunk> chunks;             // in the order in which a micro-batch goes through
  std::vector<Duration> optimizer_time;  // by stage
  std::vector<StageMemory> memory;       // by stage: what its devices need at most
  double flops = 0;                      // of one iteration over all devices, nothing done twice
  double done_flops = 0;                 // with what is recomputed
};

// How long a device takes to update so many parameters.
Duration update_time(const Job& job, const Accelerator& accelerator, double parameters);

// Needs that objection() has none.
ShardedModel shard(const Model& model, const Job& job, const Strategy& strategy,
                   const Accelerator& accelerator, const MeasuredTimes& measured);

}  // namespace loom
