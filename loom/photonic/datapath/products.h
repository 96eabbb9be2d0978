// Computes the sums of a layer without timing: the inner loops of the functional path.
//
// There are two paths with equal results. If the receiver only truncates products, each nonzero
// input is multiplied by the weights of all outputs in one loop over 16-bit numbers, which
// compilers vectorize. With noise, loss or several wavelengths, sums are computed sample by sample.
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

  // All sums of the layer. `layer` is the layer given to the constructor; `input` is quantized to
  // the DAC's levels. Adds the number of samples beyond the ADC's range to `clipped`.
  std::vector<std::int64_t> sums(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                                 int exponent, double sample_sigma, const NoiseField& noise,
                                 std::int64_t& clipped) const;

 private:
  void add_position(const PhotonicLayer& layer, std::span<const std::uint8_t> input,
                    std::int64_t position, std::span<std::int64_t> sums) const;
  // The samples of a dot product that have a nonzero input; all samples if `include_dark`.
  std::vector<std::int64_t> lit_samples(std::span<const std::uint8_t> operands,
                                        bool include_dark) const;
  std::int64_t sampled_sum(std::span<const std::uint8_t> operands,
                           std::span<const std::int64_t> samples, int output, std::int64_t dot,
                           const Receiver& receiver, const NoiseField& noise,
                           std::int64_t& clipped) const;

  PhotonicDatapath datapath_;
  std::int64_t length_ = 0;                // length of a dot product
  int padded_ = 0;                         // outputs of a group, rounded up to full SIMD vectors
  std::vector<std::uint16_t> magnitudes_;  // weights by group, element and output
  std::vector<std::int16_t> signs_;        // same order: 0, or −1 if the weight is negative
  std::vector<std::int16_t> rows_;         // signed weights by output and element
};

}  // namespace loom::photonic
