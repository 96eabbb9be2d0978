// Memory of one device of a pipeline stage: weights, gradients, optimizer state and activations.
//
// Activations follow Korthikanti et al. (arXiv 2205.05198): every operator keeps what its backward
// pass needs, for each micro-batch in flight.
#pragma once

#include "loom/parallelize/shard.h"

namespace loom::parallelize {

// Number of parameters on one device, before ZeRO shards them.
struct Held {
  double dense = 0;
  double expert = 0;
  double shared = 0;   // equal on all tensor ranks, which divide the samples or tokens
  double tables = 0;   // already spread over data ranks: each table has one owner
  double touched = 0;  // those of `tables` in rows that one iteration reads and so updates

  // Number of parameters on one device without those of tables; sharded by ZeRO if `spread`.
  double spread(const Strategy& strategy, bool spread) const;
};

// Parameters of one operator, or of one stage. Tensor parallelism partitions weights by rows or
// columns, unless they divide its samples or tokens; experts are spread over expert ranks, tables
// over data ranks, and over the tensor ranks that divide the samples.
Held held_parameters(const model::Operator& op, const Job& job, const Strategy& strategy,
                     OperatorSplit split);
Held held_parameters(const model::Model& model, const ShardedModel& sharded, int stage);

// Bytes that one micro-batch keeps on a device for the backward pass of an operator.
double kept_bytes(const model::Operator& op, const Job& job, const Strategy& strategy,
                  OperatorSplit split = OperatorSplit::uniform);

// Maximum number of chunks on a device of the stage whose forward pass is done and whose backward
// pass is not.
int chunks_in_flight(const Strategy& strategy, int micro_batches, int stage);

// Bytes of optimizer state per parameter.
int state_bytes(const Job& job);

// The memory of every stage.
std::vector<StageMemory> stage_memories(const model::Model& model, const ShardedModel& sharded);

}  // namespace loom::parallelize
