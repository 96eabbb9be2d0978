// What one device of a stage holds: parameters, their gradients and optimizer state, activations.
//
// Activations follow Korthikanti et al. (arXiv 2205.05198): every operator keeps what its backward
// needs, for as many micro-batches as are under way at once.
#pragma once

#include "loom/parallelize/shard.h"

namespace loom {

// Parameters of one device, before ZeRO spreads them.
struct Held {
  double dense = 0;
  double expert = 0;
  double tables = 0;   // spread over data ranks already: each has one owner
  double touched = 0;  // of the tables: rows that one iteration reads, and so updates

  // All but the tables on one device, where ZeRO spreads their state or not.
  double spread(const Strategy& strategy, bool spread) const;
};

// Of an operator: tensor parallelism cuts weights by rows or columns, experts and tables are
// spread.
Held held_parameters(const Operator& op, const Job& job, const Strategy& strategy);
Held held_parameters(const Model& model, const ShardedModel& sharded, int stage);

// Bytes that one micro-batch leaves on a device for the backward of an operator.
double kept_bytes(const Operator& op, const Job& job, const Strategy& strategy);

// Chunks forward whose backward is not yet done, at most, on a device of the stage.
int chunks_in_flight(const Strategy& strategy, int micro_batches, int stage);

// Bytes of optimizer state for one parameter.
int state_bytes(const Job& job);

StageMemory stage_memory(const Model& model, const ShardedModel& sharded, int stage);

}  // namespace loom
