// Stacks of dense layers: the family `mlp`, and the stacks that the recommenders share.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "loom/model/catalog.h"
#include "loom/model/families/builder.h"

namespace loom::model {

extern const ModelFamily kMlpFamily;

// Reads the widths of a stack of dense layers: at most 1000 widths, each at most 1,000,000.
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

// Tensor sharding of layer `index` of `count`: weights are sharded by columns and by rows
// alternately, so that two layers need only one all-reduce. A last layer without a partner is not
// sharded.
TensorSharding stack_sharding(std::size_t index, std::size_t count);

// Adds a dense layer and a ReLU; returns the index of the ReLU. The ReLU keeps its output if
// `kept`, otherwise the operator that reads the output keeps it.
int add_dense_relu(ModelBuilder& builder, const DenseLayer& layer, bool kept);

// The output of a stack: features after a ReLU, or a score (one number) and its loss.
enum class StackEnd { features, score };

// Adds a dense layer with ReLU for every width; the first layer reads the input of `first`. For a
// score, also adds a layer of width 1 and the loss. The layers are named `first.name` plus a
// number; each is a block of its own if `blocks`. Returns the index of the last operator.
int add_dense_stack(ModelBuilder& builder, const DenseLayer& first,
                    std::span<const std::int64_t> widths, bool blocks, StackEnd end);

}  // namespace loom::model
