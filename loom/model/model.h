// A neural network as a graph of operators: the work, memory and possible sharding of each.
//
// Every operator is one forward kernel: a matrix product (or a convolution, an implicit matrix
// product) or a memory-bound pass. The backward kernels follow from it. All numbers are for one
// sample (a sequence, an image, a click) on one device; parallelize/ divides them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom::model {

// `count` products of rows × inner by inner × columns; 2 flops per multiply-add.
struct MatrixProduct {
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t count = 1;

  std::int64_t flops() const { return 2 * rows * inner * columns * count; }
  bool operator==(const MatrixProduct&) const = default;
};

enum class OperatorKind : std::uint8_t {
  product,      // activations × weights
  convolution,  // the same, as an implicit product
  attention,    // activations × activations: no weights to update
  lookup,       // rows of a table
  memory,       // memory-bound: norm, activation function, softmax, pooling, loss
};

// How tensor parallelism (Megatron-LM, arXiv 1909.08053) shards an operator.
enum class TensorSharding : std::uint8_t {
  replicated,  // on every rank; sequence parallelism divides it along the sequence
  column,      // weights partitioned by columns: input complete, output sharded
  row,         // weights partitioned by rows: input sharded, output a sum over the ranks
  sharded,     // works on its shard of the activations: heads, or columns of an earlier layer
};

struct Operator {
  std::string name;  // unique, such as "layer3.attention.qkv"
  OperatorKind kind = OperatorKind::memory;
  std::vector<int> inputs = {};     // earlier operators whose output it reads; none: the sample
  int block = 0;                    // ascending; a pipeline stage is a range of blocks
  MatrixProduct product = {};       // product, convolution, attention; total over its experts
  std::int64_t parameters = 0;      // total over its experts and tables
  std::int64_t output = 0;          // elements
  std::int64_t read = 0;            // lookup, memory: elements read forward, without parameters
  std::int64_t written = 0;         // lookup, memory: elements written forward
  std::int64_t backward_moved = 0;  // lookup, memory: elements read and written backward
  std::int64_t saved = 0;           // elements kept for backward
  std::int64_t masks = 0;           // bytes kept for backward, independent of the precision
  TensorSharding tensor = TensorSharding::replicated;
  int experts = 0;            // mixture: number of experts; parameters and work are their total
  std::int64_t gathered = 0;  // attention: key and value elements that context ranks exchange
  int tables = 0;             // lookup: number of tables, which may be on different devices
  // lookup: parameters per table if they differ; otherwise empty
  std::vector<std::int64_t> table_parameters = {};
  bool kept = false;            // excluded from full recomputation: embedding, head, loss
  bool core_attention = false;  // repeated by selective recomputation (arXiv 2205.05198)
  bool causal = false;          // fused attention: the half above the diagonal is skipped
  bool fused = false;           // attention as one kernel that keeps no scores (FlashAttention)

  std::int64_t flops() const { return product.flops() / (causal ? 2 : 1); }  // forward, per sample
  bool operator==(const Operator&) const = default;
};

// Whether two operators cost the same: they differ at most in name, inputs and block.
bool same_cost(const Operator& a, const Operator& b);

// For tables: number of parameters in the rows that `samples` samples read and therefore update; at
// most all parameters.
std::int64_t touched_parameters(const Operator& op, std::int64_t samples);

struct Model {
  std::string name;
  std::string sample = "sample";  // unit of the batch: "sequence", "image", "sample"
  std::int64_t tokens = 0;        // per sample; 0 if it is not a sequence
  std::int64_t hidden = 0;        // width of activations between blocks; 0: varies
  int blocks = 0;
  int experts = 0;                  // per mixture layer; 0: none
  int chosen_experts = 0;           // per token
  std::vector<Operator> operators;  // each after its inputs, in ascending order of blocks

  std::int64_t parameters() const;
  std::int64_t active_parameters() const;        // per token: fewer in a mixture
  std::int64_t forward_flops() const;            // per sample; products only
  std::int64_t training_flops() const;           // forward and backward, without recomputation
  std::int64_t boundary(int block) const;        // elements that cross from this block to the next
  std::vector<std::int64_t> boundaries() const;  // the same for every block
  // The operators of `count` consecutive blocks.
  std::span<const Operator> operators_of(int first_block, int count = 1) const;
  bool operator==(const Model&) const = default;
};

}  // namespace loom::model
