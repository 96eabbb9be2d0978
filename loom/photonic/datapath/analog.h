// Model of a detector and its ADC: noise, loss, range and levels.
//
// Noise is a function of seed, input, layer and sample, not of the order of calls, so the
// cycle-accurate engine and the functional path see the same noise.
#pragma once

#include <cstdint>
#include <span>

#include "loom/photonic/datapath/datapath.h"

namespace loom::photonic {

inline constexpr double kPrototypeSigma =
    1.657;  // measured by Lightning's authors; full scale is 255

// Standard deviations at a full scale of 255, as for a calibrated core.
struct PhotonicNoise {
  double sample_sigma = 0;  // per ADC sample; 255 is the ADC's full range
  double output_sigma = 0;  // per sum of a layer; 255 is the layer's largest sum
  std::uint64_t seed = 1;

  bool operator==(const PhotonicNoise&) const = default;
};

// A normally distributed number from 64 uniformly distributed bits, by the inverse of the normal
// distribution (Wichura, algorithm AS 241, 1988). The same bits give the same number on every
// machine.
double normal_from(std::uint64_t bits);

// The noise of one layer for one input.
class NoiseField {
 public:
  NoiseField(const PhotonicNoise& noise, std::uint64_t input_index, int layer);

  double sample(std::uint64_t index) const;  // standard deviation 1
  double output(std::uint64_t index) const;

 private:
  std::uint64_t samples_;
  std::uint64_t outputs_;
};

// The modulator level nearest to a magnitude, expressed as a magnitude.
std::uint8_t dac_level(int magnitude, int bits);

// Converts light that carries a sum of products (each at most 255·255) to a sample value.
class Receiver {
 public:
  Receiver(const PhotonicDatapath& datapath, double sigma);

  // In units of one product (a·w / 256), at most 255 times two to the range. `noise` is a standard
  // normal number.
  int value(std::int64_t light, double noise) const;
  int value(std::int64_t light) const;  // without noise

  bool clips(std::int64_t light, double noise) const;
  bool noisy() const { return sigma_ > 0; }
  // Products are only truncated to 8 bits and then to the ADC's bits, without noise or loss: see
  // mask().
  bool plain() const;
  int mask() const;  // if plain: the bits of a product that the ADC keeps

 private:
  std::int64_t level(std::int64_t light, double noise) const;

  double sigma_;               // in units of one product
  int step_bits_;              // log2 of an ADC level, in 1/256 of a product
  std::int64_t max_level_;     // the highest level
  std::int64_t transmission_;  // transmitted fraction of the light, in 1/65536
  std::int64_t gain_;          // gain that compensates the loss, in 1/65536
  std::int64_t largest_;       // largest value
};

}  // namespace loom::photonic
