// Writes the steps of a chunk's forward and backward: each operator's kernels, the collectives that
// its cut brings (Megatron-LM's f and g, sequence parallelism's gather and scatter, an expert's
// exchanges, a context's keys and values), and ZeRO's own.
#pragma once

#include "loom/parallelize/shard.h"

namespace loom {

class TaskBuilder {
 public:
  struct Input {
    const Model& model;
    const Job& job;
    Strategy strategy;
    Division division;
    const Accelerator& accelerator;
    const MeasuredTimes& measured;
    int micro_batches = 1;
  };

  explicit TaskBuilder(const Input& input) : in_(input) {}

  // Fills forward, backward and buckets of the chunk.
  void build(Chunk& chunk) const;

  // What one device passes on from a block: with tensor ranks each a part, as Megatron-LM's scatter
  // and gather does.
  Bytes boundary(int block) const;

 private:
  struct Block;
  struct OperatorBytes {
    Bytes input;       // of a product
    Bytes output;      // of a product or lookup
    Bytes dispatched;  // to experts
    Bytes combined;    // from experts
    Bytes gathered;    // keys and values of all context ranks
  };

  void forward_block(Task& task, const Block& block, bool again) const;
  void backward_block(Task& task, const Block& block, Chunk& chunk) const;
  void forward_operator(Task& task, const Operator& op) const;
  void backward_operator(Task& task, const Operator& op) const;
  void gather_input(Task& task, int block) const;
  void gather_weights(Task& task, const Block& block) const;
  void reduce_gradients(Task& task, const Block& block) const;
  void add_bucket(Chunk& chunk, const Block& block) const;
  Bytes activations(std::int64_t elements) const;
  OperatorBytes bytes_of_operator(const Operator& op) const;
  Block block_at(int index) const;
  double accumulation_bytes(const Operator& op) const;

  Input in_;
};

}  // namespace loom
