// Builds the forward and backward steps of a chunk: the kernels of each operator, the collectives
// of its sharding (f and g of Megatron-LM, gather and scatter of sequence parallelism, the
// exchanges of experts, the keys and values of context parallelism), and the collectives of ZeRO.
#pragma once

#include "loom/parallelize/footprint.h"
#include "loom/parallelize/operator_split.h"
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

  explicit TaskBuilder(const Input& input);

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
  // What an operator costs one device; equal for equal operators of repeated blocks.
  struct OperatorCost {
    model::OperatorTime time;
    OperatorBytes bytes;
    Held held;
  };

  void forward_block(Task& task, const Block& block, bool again) const;
  void backward_block(Task& task, const Block& block, Chunk& chunk) const;
  void forward_operator(Task& task, const model::Operator& op) const;
  void backward_operator(Task& task, const model::Operator& op) const;
  void exchange_lookups(Task& task, const model::Operator& op) const;
  void gather_input(Task& task, int block) const;
  void gather_weights(Task& task, const Block& block) const;
  void reduce_gradients(Task& task, const Block& block) const;
  void add_bucket(Chunk& chunk, const Block& block) const;
  Bytes activations(std::int64_t elements) const;
  OperatorBytes bytes_of_operator(const model::Operator& op) const;
  OperatorCost cost_of_operator(const model::Operator& op) const;
  const OperatorCost& cost(const model::Operator& op) const { return costs_[index_of(op)]; }
  std::size_t index_of(const model::Operator& op) const {
    return static_cast<std::size_t>(&op - in_.model.operators.data());
  }
  OperatorSplit split_at(const model::Operator& op) const {
    return split_of(in_.strategy, index_of(op));
  }
  bool gathers_input(const model::Operator& op) const;
  bool scatters_output(const model::Operator& op) const;
  void change_layouts(Task& task, const model::Operator& op, bool forward) const;
  bool crosses_whole(int block) const;
  Block block_at(int index) const;
  double accumulation_bytes(const model::Operator& op) const;

  Input in_;
  std::vector<std::int64_t> boundaries_;  // of the model
  std::vector<OperatorLayouts> layouts_;  // per operator of the model; empty without splits
  std::vector<OperatorCost> costs_;       // per operator of the model
};

}  // namespace loom::parallelize
