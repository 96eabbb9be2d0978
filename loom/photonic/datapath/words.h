// The operands of a layer as words for the DACs. A DAC sends one word per cycle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/photonic/datapath/light.h"

namespace loom::photonic {

// Word `index` of a layer's inputs; the words of one dot product are consecutive.
LightWord input_word(const PhotonicLayer& layer, const PhotonicDatapath& datapath,
                     std::span<const std::uint8_t> values, std::int64_t index);

struct WeightWord {
  LightWord light;
  std::vector<std::int8_t> signs;  // sign of each sample: 1 or −1
};

WeightWord weight_word(const PhotonicLayer& layer, const PhotonicDatapath& datapath,
                       std::int64_t index);

// The factor of each sample of a word: its sign, or 0 if mask_zero_operands is set and every
// product of the sample has a zero operand.
std::vector<std::int8_t> masked_signs(const LightWord& inputs, const WeightWord& weights,
                                      const PhotonicDatapath& datapath);

}  // namespace loom::photonic
