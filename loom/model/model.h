// A network as a graph of operators: what each computes for one sample, what it keeps, and how it
// can be cut.
//
// Every operator is one kernel of forward work: a product of matrices (a convolution is one, as an
// implicit product), or a pass over memory. Backward follows from forward. All figures are for one
// sample (a sequence, an image, a click) on one device; parallelize/ divides them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/units.h"

namespace loom {

// `count` products of rows × inner by inner × columns; 2 flops for each multiply and add.
struct MatrixProduct {
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t count = 1;

  std::int64_t flops() const { return 2 * rows * inner * columns * count; }
  bool operator==(const MatrixProduct&) const = default;
};

enum class OperatorKind : std::uint8_t {
  product,      // of activations and weights
  convolution,  // the same, as an implicit product
  attention,    // of activations and activations: backward has no weights to update
  lookup,       // rows of a table
  memory,       // a pass over activations: norm, activation function, softmax, pooling, loss
};

// What tensor parallelism (Megatron-LM, arXiv 1909.08053) does with an operator.
enum class TensorSharding : std::uint8_t {
  replicated,  // every rank does it whole; sequence parallelism divides it along the sequence
  column,      // weights cut by columns: input whole, output divided
  row,         // weights cut by rows: input divided, output a sum over the ranks
  sharded,     // works on its part of divided activations: heads, or columns of a layer before
};

struct Operator {
  std::string name;  // such as "layer3.attention.qkv"; each is there once
  OperatorKind kind = OperatorKind::memory;
  std::vector<int> inputs = {};     // operators before it whose output it reads; none: the sample
  int block = 0;                    // pipelines are cut between blocks, which are in order
  MatrixProduct product = {};       // product, convolution, attention; of all its experts' work
  std::int64_t parameters = 0;      // of all its experts and tables
  std::int64_t output = 0;          // elements
  std::int64_t read = 0;            // lookup, memory: elements read forward, without parameters
  std::int64_t written = 0;         // lookup, memory: elements written forward
  std::int64_t backward_moved = 0;  // lookup, memory: elements read and written backward
  std::int64_t saved = 0;           // elements kept for backward
  std::int64_t masks = 0;           // bytes kept for backward whatever the precision
  TensorSharding tensor = TensorSharding::replicated;
  int experts = 0;            // of a mixture: parameters and work are spread over so many
  std::int64_t gathered = 0;  // attention: elements of keys and values that context ranks exchange
  int tables = 0;             // lookup: of so many tables that can lie on different devices
  // lookup: parameters of each table, where they differ; else empty
  std::vector<std::int64_t> table_parameters = {};
  bool kept = false;            // full recomputation does not do it again: embedding, head, loss
  bool core_attention = false;  // what selective recomputation (arXiv 2205.05198) does again
  bool causal = false;          // fused attention: the half above the diagonal is not computed
  bool fused = false;           // attention as one kernel that keeps no scores (FlashAttention)

  bool operator==(const Operator&) const = default;
};

// Of tables: parameters of the rows that so many samples read, and so update; no row counts twice
// once all are read.
std::int64_t touched_parameters(const Operator& op, std::int64_t samples);

struct Model {
  std::string name;
  std::string sample = "sample";  // what a batch counts: "sequence", "image", "sample"
  std::int64_t tokens = 0;        // of one sample; 0 where it is not a sequence
  std::int64_t hidden = 0;        // width of what passes from block to block; 0: the output tells
  int blocks = 0;
  int experts = 0;                  // of its mixture layers; 0: none
  int chosen_experts = 0;           // that each token goes to
  std::vector<Operator> operators;  // each after its inputs

  std::int64_t parameters() const;
  std::int64_t active_parameters() const;  // that one token meets: of a mixture fewer
  std::int64_t forward_flops() const;      // of one sample; products only, none skipped
  std::int64_t training_flops() const;     // forward and backward, nothing done twice
  std::int64_t boundary(int block) const;  // elements that pass from this block to the next
  bool operator==(const Model&) const = default;
};

}  // namespace loom
