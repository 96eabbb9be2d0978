// Builds the forward and backward steps of a chunk: the kernels of each operator, the collectives
// of its sharding (f and g of Megatron-LM, gather and scatter of sequence parallelism, the
// exchanges of experts, the keys and values of context parallelism), and the collectives of ZeRO.
#pragma once

#include "loom/parallelize/shard.h"

namespace loom::parallelize {

class TaskBuilder {
 public:
  struct Input {
    const model::Model& model;
    const Job& job;
    Strategy strategy;
    model::Division division;
    const model::Accelerator& accelerator;
    const model::MeasuredTimes& measured;
    int micro_batches = 1;
  };

  explicit TaskBuilder(const Input& input) : in_(input) {}

  // Fills forward, backward and buckets of the chunk.
  void build(Chunk& chunk) const;

  // Bytes that one device sends across the boundary after a block; each tensor rank sends a slice,
  // as in Megatron-LM's scatter-gather optimization.
  Bytes boundary(int block) const;

 private:
  struct Block;
  struct OperatorBytes {
    Bytes input;       // product
    Bytes output;      // product or lookup
    Bytes dispatched;  // to experts
    Bytes combined;    // from experts
    Bytes gathered;    // keys and values of all context ranks
  };

  void forward_block(Task& task, const Block& block, bool again) const;
  void backward_block(Task& task, const Block& block, Chunk& chunk) const;
  void forward_operator(Task& task, const model::Operator& op) const;
  void backward_operator(Task& task, const model::Operator& op) const;
  void gather_input(Task& task, int block) const;
  void gather_weights(Task& task, const Block& block) const;
  void reduce_gradients(Task& task, const Block& block) const;
  void add_bucket(Chunk& chunk, const Block& block) const;
  Bytes activations(std::int64_t elements) const;
  OperatorBytes bytes_of_operator(const model::Operator& op) const;
  Block block_at(int index) const;
  double accumulation_bytes(const model::Operator& op) const;

  Input in_;
};

}  // namespace loom::parallelize
