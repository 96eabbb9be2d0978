#include "loom/photonic/datapath/words.h"

#include <cstdlib>

#include "loom/base/index.h"
#include "loom/photonic/datapath/digital.h"

namespace loom::photonic {
namespace {

struct WordPlace {
  DotProduct dot;
  std::int64_t first_sample;
};

WordPlace place_of_word(const PhotonicLayer& layer, const PhotonicDatapath& datapath,
                        std::int64_t index) {
  const std::int64_t words = streaming_cycles(vector_length(layer), datapath);
  return {dot_product(layer, index / words), index % words * datapath.lanes};
}

// The index of the vector element that a wavelength of a sample carries; it may exceed the vector.
// With several wavelengths, samples 2g and 2g + 1 both carry group g of `wavelengths` elements,
// first for the positive weights, then for the negative ones.
std::int64_t element_of(std::int64_t sample, int wavelength, int wavelengths) {
  if (wavelengths == 1) return sample;
  return sample / 2 * wavelengths + wavelength;
}

}  // namespace

LightWord input_word(const PhotonicLayer& layer, const PhotonicDatapath& datapath,
                     std::span<const std::uint8_t> values, std::int64_t index) {
  const WordPlace place = place_of_word(layer, datapath, index);
  std::vector<std::uint8_t> operands(to_index(vector_length(layer)));
  gather_operands(layer, values, place.dot, operands);
  LightWord word;
  for (int lane = 0; lane < datapath.lanes; ++lane) {
    for (int w = 0; w < datapath.wavelengths; ++w) {
      const std::int64_t i = element_of(place.first_sample + lane, w, datapath.wavelengths);
      const bool there = i < static_cast<std::int64_t>(operands.size());
      word.intensities.push_back(there ? dac_level(operands[to_index(i)], datapath.dac_bits) : 0);
    }
  }
  return word;
}

WeightWord weight_word(const PhotonicLayer& layer, const PhotonicDatapath& datapath,
                       std::int64_t index) {
  const WordPlace place = place_of_word(layer, datapath, index);
  const std::int64_t length = vector_length(layer);
  const std::span<const std::int16_t> row(&layer.weights[to_index(place.dot.output * length)],
                                          to_index(length));
  const int wavelengths = datapath.wavelengths;
  WeightWord word;
  for (int lane = 0; lane < datapath.lanes; ++lane) {
    const std::int64_t sample = place.first_sample + lane;
    bool negative = wavelengths > 1 && sample % 2 == 1;
    for (int w = 0; w < wavelengths; ++w) {
      const std::int64_t i = element_of(sample, w, wavelengths);
      const int weight = i < length ? row[to_index(i)] : 0;
      if (wavelengths == 1) negative = weight < 0;
      const bool sent = (weight < 0) == negative;
      word.light.intensities.push_back(sent ? dac_level(std::abs(weight), datapath.dac_bits)
                                            : std::uint8_t{0});
    }
    word.signs.push_back(negative ? std::int8_t{-1} : std::int8_t{1});
  }
  return word;
}

std::vector<std::int8_t> masked_signs(const LightWord& inputs, const WeightWord& weights,
                                      const PhotonicDatapath& datapath) {
  std::vector<std::int8_t> signs = weights.signs;
  if (!datapath.mask_zero_operands) return signs;
  for (std::size_t lane = 0; lane < signs.size(); ++lane) {
    bool dark = true;
    for (std::size_t w = 0; w < to_index(datapath.wavelengths); ++w) {
      const std::size_t i = lane * to_index(datapath.wavelengths) + w;
      dark = dark && (inputs.intensities[i] == 0 || weights.light.intensities[i] == 0);
    }
    if (dark) signs[lane] = 0;
  }
  return signs;
}

}  // namespace loom::photonic
