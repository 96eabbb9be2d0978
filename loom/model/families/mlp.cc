// Dense layers and stacks of them.
#include "loom/model/families/mlp.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace loom::model {
namespace {

constexpr std::int64_t kMaxWidth = 1'000'000;

constexpr std::array kMlpParameters = {
    required_integer("inputs", "number of input features", kMaxWidth),
    shape_parameter("widths", "width of each layer's output, such as 4096x4096x1000"),
    boolean_parameter("bias", "biases in all layers", "true"),
};

// All layers but the last are followed by ReLU, the last by softmax and loss.
Model build_mlp(const Settings& settings) {
  const std::vector<std::int64_t> widths = read_widths(settings, "widths");
  ModelBuilder builder(settings, "widths");
  const bool bias = settings.boolean("bias");
  int last = -1;
  std::int64_t inner = settings.integer("inputs");
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) builder.next_block();
    const DenseLayer layer{.name = fmt::format("layer{}", i),
                           .input = last,
                           .inner = inner,
                           .columns = widths[i],
                           .bias = bias,
                           .tensor = stack_sharding(i, widths.size())};
    const bool final = i + 1 == widths.size();
    last = final ? add_dense(builder, layer) : add_dense_relu(builder, layer, false);
    inner = widths[i];
  }
  builder.keep(true);
  builder.add(cross_entropy_operator("loss", {last}, 1, inner, TensorSharding::replicated));
  return builder.finish();
}

}  // namespace

std::vector<std::int64_t> read_widths(const Settings& settings, std::string_view name) {
  return bounded_shape(settings, name, 1000, kMaxWidth);
}

int add_dense(ModelBuilder& builder, const DenseLayer& layer) {
  return builder.add(product_operator(
      layer.name, layer.input < 0 ? std::vector<int>{} : std::vector<int>{layer.input},
      {.rows = layer.rows, .inner = layer.inner, .columns = layer.columns}, layer.bias,
      layer.tensor));
}

TensorSharding stack_sharding(std::size_t index, std::size_t count) {
  if (index % 2 == 1) return TensorSharding::row;
  return index + 1 < count ? TensorSharding::column : TensorSharding::replicated;
}

int add_dense_relu(ModelBuilder& builder, const DenseLayer& layer, bool kept) {
  const int product = add_dense(builder, layer);
  const TensorSharding tensor =
      layer.tensor == TensorSharding::column ? TensorSharding::sharded : TensorSharding::replicated;
  return builder.add(
      relu_operator(layer.name + ".relu", product, builder.output(product), kept, tensor));
}

int add_dense_stack(ModelBuilder& builder, const DenseLayer& first,
                    std::span<const std::int64_t> widths, bool blocks, StackEnd end) {
  const bool score = end == StackEnd::score;
  const std::size_t count = widths.size() + (score ? 1 : 0);
  DenseLayer layer = first;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (blocks && i > 0) builder.next_block();
    layer.name = fmt::format("{}{}", first.name, i);
    layer.columns = widths[i];
    layer.tensor = stack_sharding(i, count);
    layer.input = add_dense_relu(builder, layer, i + 1 == count);
    layer.inner = widths[i];
  }
  if (!score) return layer.input;
  if (blocks) builder.next_block();
  layer.name = first.name + ".score";
  layer.columns = 1;
  layer.tensor = stack_sharding(count - 1, count);
  builder.keep(true);
  return builder.add(cross_entropy_operator("loss", {add_dense(builder, layer)}, 1, 1,
                                            TensorSharding::replicated));
}

const ModelFamily kMlpFamily = {"mlp", "stack of dense layers", kMlpParameters, build_mlp};

}  // namespace loom::model
