// A small trainer: dense layers with ReLU, no biases, softmax and cross entropy, one step of
// gradient descent per image.
//
// It provides networks for tests and examples and is not designed for large ones.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/photonic/network/digits.h"
#include "loom/photonic/network/quantize.h"

namespace loom::photonic {

struct TrainingPlan {
  std::vector<int> hidden = {48, 24};
  int classes = 10;
  int epochs = 12;
  double rate = 0.02;  // falls to a tenth of this over the epochs
  std::uint64_t seed = 1;
};

// Needs at least one image.
std::vector<RealLayer> train(const LabeledInputs& set, const TrainingPlan& plan);

}  // namespace loom::photonic
