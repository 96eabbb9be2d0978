// A set of digits of our own: strokes, drawn anew for each image with another hand.
//
// Every image is shifted, turned, slanted, scaled and blurred at random, and some pixels are noise,
// so that a network has something to learn and a test something to get wrong. Same seed, same set.
#pragma once

#include <cstdint>
#include <vector>

namespace loom {

struct LabelledInputs {
  int side = 0;  // of an image, in pixels
  std::vector<std::uint8_t> inputs;
  std::vector<std::int32_t> labels;
};

LabelledInputs make_digits(int count, std::uint64_t seed, int side = 12);

}  // namespace loom
