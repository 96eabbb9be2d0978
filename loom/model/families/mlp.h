// Stacks of dense layers: the family `mlp`, and the stacks that the recommenders share.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "loom/model/catalog.h"
#include "loom/model/families/builder.h"

namespace loom::model {

extern const ModelFamily kMlpFamily;

// Widths of a stack of dense layers: at most 1000 layers of at most a million.
std::vector<std::int64_t> read_widths(const Settings& settings, std::string_view name);

struct DenseLayer {
  std::string name;
  int input = -1;  // preceding operator; -1: the sample
  std::int64_t rows = 1;
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  bool bias = true;
  TensorSharding tensor = TensorSharding::replicated;
};

// Adds a dense layer; returns the index of its product.
int add_dense(ModelBuilder& builder, const DenseLayer& layer);

// Tensor sharding of layer `index` of `count`: columns and rows alternate, so that one sum serves
// two layers. A last layer without a partner is not sharded.
TensorSharding stack_sharding(std::size_t index, std::size_t count);

// A dense layer and a ReLU, whose output is kept by its reader unless `kept`.
int add_dense_relu(ModelBuilder& builder, const DenseLayer& layer, bool kept);

// The end of a stack: ReLU features that the reader copies, or one number and its loss.
enum class StackEnd { features, score };

// A layer with ReLU for every width, reading the input of `first`, and for a score one more of
// width 1. Named `first.name` plus a number; each in a block of its own if `blocks`. Returns the
// index of the last operator.
int add_dense_stack(ModelBuilder& builder, const DenseLayer& first,
                    std::span<const std::int64_t> widths, bool blocks, StackEnd end);

}  // namespace loom::model
