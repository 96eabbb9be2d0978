#include "loom/photonic/datapath/datapath.h"

#include <fmt/format.h>

#include <bit>

#include "loom/base/error.h"

namespace loom::photonic {
namespace {

bool power_of_two(int value) { return value > 0 && (value & (value - 1)) == 0; }

}  // namespace

int tree_depth(const PhotonicDatapath& datapath) {
  return std::bit_width(static_cast<unsigned>(datapath.lanes - 1));
}

int range_of(const PhotonicDatapath& datapath) {
  if (datapath.adc_range >= 0) return datapath.adc_range;
  return std::bit_width(static_cast<unsigned>(datapath.wavelengths - 1));
}

std::optional<std::string> objection(const PhotonicDatapath& datapath) {
  if (!power_of_two(datapath.lanes) || datapath.lanes < 4 || datapath.lanes > 256) {
    return fmt::format("lanes is {}; a power of two from 4 to 256 is needed", datapath.lanes);
  }
  if (datapath.wavelengths < 1 || datapath.wavelengths > 256) {
    return fmt::format("wavelengths is {}; 1 to 256 are possible", datapath.wavelengths);
  }
  for (const int bits : {datapath.dac_bits, datapath.adc_bits}) {
    if (bits < 1 || bits > 8) {
      return fmt::format("a converter has {} bits; 1 to 8 are possible", bits);
    }
  }
  if (datapath.adc_range < -1 || datapath.adc_range > 8) {
    return fmt::format("adc_range is {}; -1 to 8 are possible", datapath.adc_range);
  }
  if (!(datapath.loss_decibel >= 0 && datapath.loss_decibel <= 40)) {
    return fmt::format("loss is {} dB; 0 to 40 dB are possible", datapath.loss_decibel);
  }
  if (datapath.clock_hertz < 1 || datapath.clock_hertz > 1'000'000'000'000) {
    return fmt::format("the clock is {} Hz; 1 Hz to 1 THz are possible", datapath.clock_hertz);
  }
  return {};
}

std::int64_t samples_of(std::int64_t vector_length, const PhotonicDatapath& datapath) {
  if (datapath.wavelengths == 1) return vector_length;
  return 2 * ((vector_length + datapath.wavelengths - 1) / datapath.wavelengths);
}

std::int64_t streaming_cycles(std::int64_t vector_length, const PhotonicDatapath& datapath) {
  return (samples_of(vector_length, datapath) + datapath.lanes - 1) / datapath.lanes;
}

std::int64_t layer_cycles(const PhotonicLayer& layer, bool last, const PhotonicDatapath& datapath) {
  const PhotonicLatency latency;
  // One cycle is subtracted because the first word is read in the cycle after `configure` started.
  const int pipeline_latency = latency.configure - 1 + latency.memory + latency.delay_lines +
                               latency.flight + latency.realign + latency.detector +
                               latency.compensator + latency.signs + latency.accumulator +
                               latency.activation + latency.write + latency.normalization +
                               2 * tree_depth(datapath) + (last ? 0 : latency.swap);
  const std::int64_t words =
      latency.preamble + dot_products(layer) * streaming_cycles(vector_length(layer), datapath);
  return words + pipeline_latency;
}

std::int64_t network_cycles(const PhotonicNetwork& network, const PhotonicDatapath& datapath) {
  const PhotonicLatency latency;
  std::int64_t cycles = latency.start + latency.softmax + latency.result;
  for (const PhotonicLayer& layer : network.layers) {
    cycles += layer_cycles(layer, &layer == &network.layers.back(), datapath);
  }
  return cycles;
}

Duration cycles_time(std::int64_t cycles, const PhotonicDatapath& datapath) {
  constexpr std::int64_t kPicosecondsInSecond = 1'000'000'000'000;
  const Int128 exact = Int128{cycles} * kPicosecondsInSecond;
  const Int128 rounded = (exact + datapath.clock_hertz - 1) / datapath.clock_hertz;
  if (rounded > Int128{kLongestDuration.count()}) {
    throw LimitError(
        fmt::format("{} cycles exceed the largest time that can be represented", cycles));
  }
  return Duration(static_cast<std::int64_t>(rounded));
}

}  // namespace loom::photonic
