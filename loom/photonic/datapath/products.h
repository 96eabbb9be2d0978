// The sums of a layer, without a clock: the inner loops of the functional path.
//
// Two ways with the same result. Where the receiver only cuts products to 8 bits, inputs are taken
// one by one, zeros are passed over, and each goes to all outputs at once over weights that lie
// output beside output: a plain loop over 16-bit numbers, which compilers turn into vector
// instructions. Anything else (noise, loss, several wavelengths) goes sample by sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/datapath/digital.h"

namespace loom {

class LayerProducts {
 public:
  LayerProducts(const PhotonicLayer& layer, const PhotonicDatapath& datapath);

  // `layer` is the one it was made of; `input` is at the DAC's levels. Samples beyond the ADC's
  // range are added to `clipped`.
  std::vector<std::int64_t> sums(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                                 int exponent, double sample_sigma, const NoiseField& noise,
                                 std::int64_t& clipped) const;

 private:
  void add_position(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                    std::int64_t position, std::span<std::int64_t> sums) const;
  // The samples of a dot product in which an input is not zero, or all.
  std::vector<std::int64_t> lit_samples(std::span<const std::uint8_t> operands,
                                        bool include_dark) const;
  std::int64_t sampled_sum(std::span<const std::uint8_t> operands,
                           std::span<const std::int64_t> samples, int output, std::int64_t dot,
                           const Receiver& receiver, const NoiseField& noise,
                           std::int64_t& clipped) const;

  PhotonicDatapath datapath_;
  std::int64_t length_ = 0;                // of a dot product
  int padded_ = 0;                         // outputs of a group, a whole number of vectors
  std::vector<std::uint16_t> magnitudes_;  // group, element, output
  std::vector<std::int16_t> signs_;        // the same: 0, or −1 where the weight is negative
  std::vector<std::int16_t> rows_;         // output, element: weights at the DAC's levels
};

}  // namespace loom
