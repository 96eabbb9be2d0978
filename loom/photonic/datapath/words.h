// What the readers put on the DACs: the words of a layer, one for each cycle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/photonic/datapath/light.h"

namespace loom {

// Word `index` of the operands of a layer; words of one dot product follow each other.
LightWord input_word(const PhotonicLayer& layer, const PhotonicDatapath& datapath,
                     std::span<const std::uint8_t> values, std::int64_t index);

struct WeightWord {
  LightWord light;
  std::vector<std::int8_t> signs;  // of each sample: 1 or −1
};

WeightWord weight_word(const PhotonicLayer& layer, const PhotonicDatapath& datapath,
                       std::int64_t index);

// What each sample of a word counts for: its sign, or 0 where the mask is on and every product of
// the sample has a zero operand.
std::vector<std::int8_t> masked_signs(const LightWord& inputs, const WeightWord& weights,
                                      const PhotonicDatapath& datapath);

}  // namespace loom
