// Operands whose sums are known, for trying the light before it is trusted.
//
// They are full of light, so that samples of a skewed word are never taken for those of the right
// one, and no sum repeats another.
#include <cstdint>

#include "loom/base/random.h"
#include "loom/photonic/engine.h"

namespace loom {
namespace {

constexpr int kInputs = 64;
constexpr int kOutputs = 4;

// Any would do; these are the first bytes of a stream that never changes.
constexpr std::uint64_t kStream = 16;

}  // namespace

PhotonicNetwork known_answer_network() {
  Random random = random_stream(1, kStream);
  PhotonicLayer layer;
  layer.name = "known_answer";
  layer.input = {kInputs, 1, 1};
  layer.outputs = kOutputs;
  layer.relu = false;
  for (int i = 0; i < kInputs * kOutputs; ++i) {
    const auto magnitude = static_cast<std::int16_t>(64 + random(192));
    layer.weights.push_back(static_cast<std::int16_t>(random(2) == 0 ? magnitude : -magnitude));
  }
  return {"known_answer", {std::move(layer)}};
}

std::vector<std::uint8_t> known_answer_input() {
  Random random = random_stream(2, kStream);
  std::vector<std::uint8_t> input;
  for (int i = 0; i < kInputs; ++i) input.push_back(static_cast<std::uint8_t>(64 + random(192)));
  return input;
}

}  // namespace loom
