// Shared by the tests of this folder: random networks, and a direct implementation of a layer as
// the reference.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "loom/base/random.h"
#include "loom/photonic/datapath/functional.h"
#include "loom/photonic/network/network.h"

namespace loom::photonic {

inline int between(Random& random, int low, int high) {
  return low + static_cast<int>(random(static_cast<std::uint32_t>(high - low + 1)));
}

inline void add_random_weights(Random& random, PhotonicLayer& layer) {
  const auto count = static_cast<std::size_t>(layer.outputs * vector_length(layer));
  for (std::size_t i = 0; i < count; ++i) {
    const bool zero = random(4) == 0;
    layer.weights.push_back(static_cast<std::int16_t>(zero ? 0 : between(random, -255, 255)));
  }
  if (random(3) != 0) return;
  for (int o = 0; o < layer.outputs; ++o) {
    layer.biases.push_back(std::int64_t{between(random, -300, 300)} * 65536 +
                           between(random, 0, 65535));
  }
}

inline PhotonicLayer random_dense(Random& random, const PhotonicShape& input) {
  PhotonicLayer layer;
  layer.name = "dense";
  layer.input = input;
  layer.outputs = between(random, 1, 24);
  add_random_weights(random, layer);
  return layer;
}

inline PhotonicLayer random_convolution(Random& random, const PhotonicShape& input) {
  PhotonicLayer layer;
  layer.name = "convolution";
  layer.kind = PhotonicLayerKind::convolution;
  layer.input = input;
  layer.groups = input.channels % 2 == 0 ? between(random, 1, 2) : 1;
  layer.outputs = layer.groups * between(random, 1, 3);
  layer.kernel_height = between(random, 1, std::min(3, input.height));
  layer.kernel_width = between(random, 1, std::min(3, input.width));
  layer.stride = between(random, 1, 2);
  layer.padding = between(random, 0, std::max(layer.kernel_height, layer.kernel_width) - 1);
  const PhotonicShape sums = sums_shape(layer);
  layer.pool = between(random, 1, std::min({2, sums.height, sums.width}));
  layer.pool_stride = layer.pool;
  add_random_weights(random, layer);
  return layer;
}

// One to four layers, convolutions first.
inline PhotonicNetwork random_network(Random& random) {
  PhotonicNetwork network{"random", {}};
  PhotonicShape shape{between(random, 1, 4), between(random, 1, 6), between(random, 1, 6)};
  for (int i = between(random, 0, 2); i > 0; --i) {
    network.layers.push_back(random_convolution(random, shape));
    shape = output_shape(network.layers.back());
  }
  for (int i = between(random, 1, 2); i > 0; --i) {
    network.layers.push_back(random_dense(random, shape));
    shape = output_shape(network.layers.back());
  }
  network.layers.back().relu = false;
  return network;
}

inline std::vector<std::uint8_t> random_input(Random& random, std::int64_t size) {
  std::vector<std::uint8_t> input;
  for (std::int64_t i = 0; i < size; ++i) {
    input.push_back(static_cast<std::uint8_t>(random(3) == 0 ? 0 : random(256)));
  }
  return input;
}

// Dense layers of these sizes with random weights.
inline PhotonicNetwork dense_network(Random& random, const std::vector<int>& sizes) {
  PhotonicNetwork network{"dense", {}};
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    PhotonicLayer layer;
    layer.name = "fc" + std::to_string(i);
    layer.input = {.channels = sizes[i - 1]};
    layer.outputs = sizes[i];
    layer.relu = i + 1 < sizes.size();
    for (int w = 0; w < sizes[i - 1] * sizes[i]; ++w) {
      layer.weights.push_back(static_cast<std::int16_t>(between(random, -255, 255)));
    }
    network.layers.push_back(std::move(layer));
  }
  return network;
}

// One element of a layer's input; zero in the padding around it.
inline int pixel(const PhotonicLayer& layer, const std::vector<std::uint8_t>& input, int channel,
                 int row, int column) {
  const PhotonicShape& shape = layer.input;
  if (row < 0 || column < 0 || row >= shape.height || column >= shape.width) return 0;
  const std::int64_t line = std::int64_t{channel} * shape.height + row;
  return input[static_cast<std::size_t>(line * shape.width + column)];
}

// The sum of one output at one position without bias, computed directly from the definition.
inline std::int64_t plain_sum(const PhotonicLayer& layer, const std::vector<std::uint8_t>& input,
                              int output, int row, int column) {
  std::int64_t sum = 0;
  auto weight = layer.weights.begin() + output * vector_length(layer);
  const auto add = [&](int value) {
    const int product = (value * std::abs(int{*weight})) >> 8;
    sum += *weight < 0 ? -product : product;
    ++weight;
  };
  if (layer.kind == PhotonicLayerKind::dense) {
    for (const std::uint8_t value : input) add(value);
    return sum;
  }
  const int channels = layer.input.channels / layer.groups;
  const int first = output / (layer.outputs / layer.groups) * channels;
  for (int c = first; c < first + channels; ++c) {
    for (int y = 0; y < layer.kernel_height; ++y) {
      for (int x = 0; x < layer.kernel_width; ++x) {
        add(pixel(layer, input, c, row * layer.stride + y - layer.padding,
                  column * layer.stride + x - layer.padding));
      }
    }
  }
  return sum;
}

// All sums of a layer without biases.
inline std::vector<std::int64_t> plain_sums(const PhotonicLayer& layer,
                                            const std::vector<std::uint8_t>& input) {
  std::vector<std::int64_t> sums;
  const PhotonicShape shape = sums_shape(layer);
  for (int o = 0; o < shape.channels; ++o) {
    for (int row = 0; row < shape.height; ++row) {
      for (int column = 0; column < shape.width; ++column) {
        sums.push_back(plain_sum(layer, input, o, row, column));
      }
    }
  }
  return sums;
}

}  // namespace loom::photonic
