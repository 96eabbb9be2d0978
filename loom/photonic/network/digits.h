// A generated data set of digits: strokes with a different random distortion in each image.
//
// Every image is shifted, rotated, slanted, scaled and blurred at random, and some pixels are
// noise, so that the task is learnable but not trivial. The same seed gives the same set.
#pragma once

#include <cstdint>
#include <vector>

namespace loom::photonic {

struct LabeledInputs {
  int side = 0;  // side of an image in pixels
  std::vector<std::uint8_t> inputs;
  std::vector<std::int32_t> labels;
};

LabeledInputs make_digits(int count, std::uint64_t seed, int side = 12);

}  // namespace loom::photonic
