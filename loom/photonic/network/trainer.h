// A small trainer for networks of dense layers with ReLU and without biases: softmax, cross
// entropy, one step of gradient descent per image.
//
// The trainer provides networks for tests and examples; it is too slow for large networks.
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
  double rate = 0.02;  // initial learning rate; falls linearly toward a tenth over the epochs
  std::uint64_t seed = 1;
};

// Needs at least one image.
std::vector<RealLayer> train(const LabeledInputs& set, const TrainingPlan& plan);

}  // namespace loom::photonic
