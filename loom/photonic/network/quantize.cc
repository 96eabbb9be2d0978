#include "loom/photonic/network/quantize.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::photonic {
namespace {

constexpr double kLargestBias = 0x1p61;

}  // namespace

PhotonicNetwork quantize(std::string name, std::span<const RealLayer> layers) {
  double largest = 0;
  for (const RealLayer& layer : layers) {
    for (const double weight : layer.weights) largest = std::max(largest, std::abs(weight));
  }
  if (largest == 0) largest = 1;
  PhotonicNetwork network{std::move(name), {}, largest};
  double unit = kLargestMagnitude;  // units of a sum that represent the real number 1
  for (const RealLayer& from : layers) {
    unit *= kLargestMagnitude / (256 * largest);
    PhotonicLayer layer = from.shape;
    for (const double weight : from.weights) {
      layer.weights.push_back(
          static_cast<std::int16_t>(std::rint(weight * kLargestMagnitude / largest)));
    }
    for (const double bias : from.biases) {
      const double fixed = std::clamp(std::rint(bias * unit * 65536), -kLargestBias, kLargestBias);
      layer.biases.push_back(static_cast<std::int64_t>(fixed));
    }
    network.layers.push_back(std::move(layer));
  }
  return network;
}

}  // namespace loom::photonic
