// The sums of a layer without timing: the inner loops of the functional path.
//
// There are two paths with equal results. If the receiver only truncates products to 8 bits, each
// nonzero input is multiplied with all outputs at once, over weights stored output by output: a
// plain loop over 16-bit numbers, which compilers vectorize. Everything else (noise, loss, several
// wavelengths) is computed sample by sample.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/photonic/datapath/analog.h"
#include "loom/photonic/datapath/digital.h"

namespace loom::photonic {

class LayerProducts {
 public:
  LayerProducts(const PhotonicLayer& layer, const PhotonicDatapath& datapath);

  // `layer` is the layer given to the constructor; `input` is quantized to the DAC's levels. Adds
  // the number of samples beyond the ADC's range to `clipped`.
  std::vector<std::int64_t> sums(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                                 int exponent, double sample_sigma, const NoiseField& noise,
                                 std::int64_t& clipped) const;

 private:
  void add_position(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                    std::int64_t position, std::span<std::int64_t> sums) const;
  // The samples of a dot product with a nonzero input, or all samples.
  std::vector<std::int64_t> lit_samples(std::span<const std::uint8_t> operands,
                                        bool include_dark) const;
  std::int64_t sampled_sum(std::span<const std::uint8_t> operands,
                           std::span<const std::int64_t> samples, int output, std::int64_t dot,
                           const Receiver& receiver, const NoiseField& noise,
                           std::int64_t& clipped) const;

  PhotonicDatapath datapath_;
  std::int64_t length_ = 0;                // length of a dot product
  int padded_ = 0;                         // outputs of a group, rounded up to full vectors
  std::vector<std::uint16_t> magnitudes_;  // by group, element and output
  std::vector<std::int16_t> signs_;        // same order: 0, or −1 if the weight is negative
  std::vector<std::int16_t> rows_;         // by output and element: weights at the DAC's levels
};

}  // namespace loom::photonic
