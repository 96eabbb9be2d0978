// Quantizes real weights to 8-bit magnitudes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loom/photonic/network/network.h"

namespace loom::photonic {

// A layer whose weights and biases are real numbers, in the order of PhotonicLayer::weights.
struct RealLayer {
  PhotonicLayer shape;  // without weights
  std::vector<double> weights;
  std::vector<double> biases;  // empty: no biases
};

// rint(w·255 / max|w|), with one scale for all layers as in Lightning's released weights. A bias is
// converted to the units of its layer's sums, for inputs of 0 to 1 sent as 0 to 255. Needs finite
// numbers, as many as the shapes require.
PhotonicNetwork quantize(std::string name, std::span<const RealLayer> layers);

}  // namespace loom::photonic
