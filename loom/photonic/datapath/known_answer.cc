// Operands with known sums, which test the optical path before it is used.
//
// No operand is zero and all sums differ, so that a skewed word never gives the sum of the correct
// word.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "loom/base/random.h"
#include "loom/photonic/datapath/engine.h"

namespace loom::photonic {
namespace {

constexpr int kInputs = 64;
constexpr int kOutputs = 4;

// Arbitrary; selects a fixed random stream.
constexpr std::uint64_t kStream = 16;

// The datapath without loss, with 8-bit converters and a range for all wavelengths.
PhotonicDatapath ideal(const PhotonicDatapath& datapath) {
  PhotonicDatapath result = datapath;
  result.dac_bits = result.adc_bits = 8;
  result.adc_range = -1;
  result.loss_decibel = 0;
  return result;
}

// Allowed error of a sum: what a 4-bit ADC truncates more than an 8-bit ADC. Per sample, this is
// uniform between 0 and the difference between the steps of the two ADCs; the allowed error is the
// mean over all samples plus four standard deviations.
double allowed_error(const PhotonicDatapath& best) {
  const double levels = std::ldexp(15.0, range_of(best));
  const double samples = std::ceil(static_cast<double>(kInputs) / best.wavelengths);
  return samples * levels / 2 + 4 * std::sqrt(samples) * levels / std::sqrt(12.0);
}

}  // namespace

// Uses positive weights only, so that losses add up; with signs they could cancel.
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
        "known answer: the sum is {} instead of {} (tolerance {:.0f}), and {} samples exceed the "
        "ADC's range; a lower loss, larger range or more bits are needed",
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

}  // namespace loom::photonic
