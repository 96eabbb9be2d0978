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

// Quantizes a weight w to rint(w·255 / max|w|), where the maximum is over all layers, as in
// Lightning's released weights. Converts biases to units of their layer's sums, for real inputs
// from 0 to 1 sent as 0 to 255. Needs finite numbers, as many as the shapes require.
PhotonicNetwork quantize(std::string name, std::span<const RealLayer> layers);

}  // namespace loom::photonic
