// Operands whose sums are known, for trying the light before it is trusted.
//
// They are full of light, so that samples of a skewed word are never taken for those of the right
// one, and no sum repeats another.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "loom/base/random.h"
#include "loom/photonic/datapath/engine.h"

namespace loom {
namespace {

constexpr int kInputs = 64;
constexpr int kOutputs = 4;

// Any would do; these are the first bytes of a stream that never changes.
constexpr std::uint64_t kStream = 16;

// Without loss, with eight bits everywhere, and with room for all wavelengths.
PhotonicDatapath ideal(const PhotonicDatapath& datapath) {
  PhotonicDatapath result = datapath;
  result.dac_bits = result.adc_bits = 8;
  result.adc_range = -1;
  result.loss_decibel = 0;
  return result;
}

// What an ADC of four bits cuts off more than one of eight: half of the levels' difference for each
// sample, and four standard deviations (of an even distribution) of what that varies by.
double allowed_error(const PhotonicDatapath& best) {
  const double levels = std::ldexp(15.0, range_of(best));
  const double samples = std::ceil(static_cast<double>(kInputs) / best.wavelengths);
  return samples * levels / 2 + 4 * std::sqrt(samples) * levels / std::sqrt(12.0);
}

}  // namespace

// Weights are all positive, so that what is lost adds up; signs would let it cancel.
std::optional<std::string> light_fault(const PhotonicDatapath& datapath) {
  PhotonicNetwork bright = known_answer_network();
  for (std::int16_t& it : bright.layers.front().weights) it = std::abs(it);
  const std::vector<std::uint8_t> input = known_answer_input();
  const PhotonicDatapath best = ideal(datapath);
  const PhotonicResult given = run(bright, input, {}, datapath);
  const PhotonicResult known = run(bright, input, {}, best);
  const double allowed = allowed_error(best);
  for (std::size_t i = 0; i < known.logits.size(); ++i) {
    if (std::abs(given.logits[i] - known.logits[i]) <= allowed && given.clipped == 0) continue;
    return fmt::format(
        "known answer: light adds up to {} and must to {}, within {:.0f}, and {} samples are "
        "beyond "
        "the ADC's range; loss, range or bits of converters have to change",
        given.logits[i], known.logits[i], allowed, given.clipped);
  }
  return {};
}

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
