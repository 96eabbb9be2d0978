#include "loom/photonic/network/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace loom::photonic {
namespace {

// Limit of the weights of a layer. The largest layer of VGG-19 has 103 million; layers beyond the
// limit would not fit a NIC's memory.
constexpr std::int64_t kMaxWeights = 1'000'000'000;
constexpr int kLargestSide = 1 << 20;

bool sensible(const PhotonicShape& shape) {
  return std::min({shape.channels, shape.height, shape.width}) >= 1 &&
         std::max({shape.channels, shape.height, shape.width}) <= kLargestSide;
}

std::optional<std::string> convolution_objection(const PhotonicLayer& layer) {
  if (std::min({layer.kernel_height, layer.kernel_width, layer.stride, layer.groups}) < 1) {
    return "its kernel, stride or groups are 0; at least 1 is needed";
  }
  if (layer.padding < 0 || layer.padding >= std::max(layer.kernel_height, layer.kernel_width)) {
    return fmt::format("its padding is {}; 0 to less than its kernel is needed", layer.padding);
  }
  if (layer.input.channels % layer.groups != 0 || layer.outputs % layer.groups != 0) {
    return fmt::format("its {} groups do not divide {} input and {} output channels", layer.groups,
                       layer.input.channels, layer.outputs);
  }
  if (layer.kernel_height > layer.input.height + 2 * layer.padding ||
      layer.kernel_width > layer.input.width + 2 * layer.padding) {
    return fmt::format("its kernel of {}x{} does not fit the input of {}x{}", layer.kernel_height,
                       layer.kernel_width, layer.input.height, layer.input.width);
  }
  return {};
}

std::optional<std::string> weights_objection(const PhotonicLayer& layer) {
  const std::int64_t needed = layer.outputs * vector_length(layer);
  if (needed > kMaxWeights) {
    return fmt::format("it has {} weights; at most {} are possible", needed, kMaxWeights);
  }
  if (static_cast<std::int64_t>(layer.weights.size()) != needed) {
    return fmt::format("it has {} weights; {} outputs of {} values need {}", layer.weights.size(),
                       layer.outputs, vector_length(layer), needed);
  }
  for (const std::int16_t weight : layer.weights) {
    if (std::abs(int{weight}) > kLargestMagnitude) {
      return fmt::format("a weight is {}; -255 to 255 are possible", weight);
    }
  }
  if (!layer.biases.empty() && layer.biases.size() != static_cast<std::size_t>(layer.outputs)) {
    return fmt::format("it has {} biases; one per output is needed, {} in total",
                       layer.biases.size(), layer.outputs);
  }
  return {};
}

std::optional<std::string> layer_objection(const PhotonicLayer& layer) {
  if (auto objection = shape_objection(layer)) return objection;
  return weights_objection(layer);
}

int kernel_places(int size, int kernel, int stride, int padding) {
  return (size + 2 * padding - kernel) / stride + 1;
}

}  // namespace

std::int64_t elements(const PhotonicShape& shape) {
  return std::int64_t{shape.channels} * shape.height * shape.width;
}

std::int64_t vector_length(const PhotonicLayer& layer) {
  if (layer.kind == PhotonicLayerKind::dense) return elements(layer.input);
  return std::int64_t{layer.input.channels / layer.groups} * layer.kernel_height *
         layer.kernel_width;
}

PhotonicShape sums_shape(const PhotonicLayer& layer) {
  if (layer.kind == PhotonicLayerKind::dense) return {.channels = layer.outputs};
  return {layer.outputs,
          kernel_places(layer.input.height, layer.kernel_height, layer.stride, layer.padding),
          kernel_places(layer.input.width, layer.kernel_width, layer.stride, layer.padding)};
}

PhotonicShape output_shape(const PhotonicLayer& layer) {
  const PhotonicShape sums = sums_shape(layer);
  if (layer.pool == 1 && layer.pool_stride == 1) return sums;
  return {sums.channels, kernel_places(sums.height, layer.pool, layer.pool_stride, 0),
          kernel_places(sums.width, layer.pool, layer.pool_stride, 0)};
}

std::int64_t positions(const PhotonicLayer& layer) {
  const PhotonicShape sums = sums_shape(layer);
  return std::int64_t{sums.height} * sums.width;
}

std::int64_t dot_products(const PhotonicLayer& layer) { return elements(sums_shape(layer)); }

std::int64_t input_size(const PhotonicNetwork& network) {
  return elements(network.layers.front().input);
}

std::int64_t output_size(const PhotonicNetwork& network) {
  return elements(output_shape(network.layers.back()));
}

std::int64_t multiplications(const PhotonicNetwork& network) {
  std::int64_t total = 0;
  for (const PhotonicLayer& layer : network.layers) {
    total += dot_products(layer) * vector_length(layer);
  }
  return total;
}

double logit_unit(const PhotonicNetwork& network) {
  double unit = kLargestMagnitude;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    unit *= kLargestMagnitude / (256 * network.largest_weight);
  }
  return unit;
}

std::optional<std::string> shape_objection(const PhotonicLayer& layer) {
  if (!sensible(layer.input)) return "its input is empty or has a dimension beyond a million";
  if (layer.outputs < 1 || layer.outputs > kLargestSide) {
    return fmt::format("it has {} outputs; 1 to {} are possible", layer.outputs, kLargestSide);
  }
  if (layer.kind == PhotonicLayerKind::convolution) {
    if (auto objection = convolution_objection(layer)) return objection;
  }
  const PhotonicShape sums = sums_shape(layer);
  if (layer.pool < 1 || layer.pool_stride < 1 || layer.pool > std::min(sums.height, sums.width)) {
    return fmt::format("pooling over {} by {} does not fit sums of {}x{}", layer.pool,
                       layer.pool_stride, sums.height, sums.width);
  }
  return {};
}

std::optional<std::string> objection(const PhotonicNetwork& network) {
  if (network.layers.empty()) return "the network has no layers; at least one is needed";
  const PhotonicLayer* before = nullptr;
  for (const PhotonicLayer& layer : network.layers) {
    if (auto objection = layer_objection(layer)) {
      return fmt::format("layer '{}': {}", layer.name, *objection);
    }
    const bool last = &layer == &network.layers.back();
    if (!last && !layer.relu) {
      return fmt::format("layer '{}' has no ReLU; only the last may give signed values",
                         layer.name);
    }
    if (last && (layer.pool != 1 || layer.pool_stride != 1)) {
      return fmt::format(
          "layer '{}' is the last and has pooling; a last layer without pooling is needed",
          layer.name);
    }
    if (before != nullptr && elements(output_shape(*before)) != elements(layer.input)) {
      return fmt::format("layer '{}' takes {} values; the previous layer gives {}", layer.name,
                         elements(layer.input), elements(output_shape(*before)));
    }
    before = &layer;
  }
  return {};
}

}  // namespace loom::photonic
