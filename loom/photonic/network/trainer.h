// A small trainer: dense layers with ReLU, no biases, softmax and cross entropy, one step of
// gradient descent for each image.
//
// It exists so that tests and examples have a network of our own. Nothing here is meant for size.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/photonic/network/digits.h"
#include "loom/photonic/network/quantize.h"

namespace loom {

struct TrainingPlan {
  std::vector<int> hidden = {48, 24};
  int classes = 10;
  int epochs = 12;
  double rate = 0.02;  // falls to a tenth of it over the epochs
  std::uint64_t seed = 1;
};

// Needs at least one image.
std::vector<RealLayer> train(const LabelledInputs& set, const TrainingPlan& plan);

}  // namespace loom
