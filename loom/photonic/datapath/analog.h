// Model of a photodetector and its ADC: noise, optical loss, range and quantization levels.
//
// Noise is a function of seed, input, layer and sample, not of the order of calls, so the
// cycle-accurate engine and the functional path see the same noise.
#pragma once

#include <cstdint>
#include <span>

#include "loom/photonic/datapath/datapath.h"

namespace loom::photonic {

// Noise of Lightning's prototype, as measured by its authors; full scale is 255.
inline constexpr double kPrototypeSigma = 1.657;

// Standard deviations of the noise of a calibrated photonic core, relative to a full scale of 255.
struct PhotonicNoise {
  double sample_sigma = 0;  // noise of an ADC sample; 255 is the ADC's full range
  double output_sigma = 0;  // noise of a sum; 255 is the layer's largest sum
  std::uint64_t seed = 1;

  bool operator==(const PhotonicNoise&) const = default;
};

// Converts 64 uniformly distributed bits to a standard normal number, by the inverse of the normal
// distribution (Wichura, algorithm AS 241, 1988). The same bits give the same number on every
// machine.
double normal_from(std::uint64_t bits);

// The random noise of one layer for one input. Both functions return standard normal numbers.
class NoiseField {
 public:
  NoiseField(const PhotonicNoise& noise, std::uint64_t input_index, int layer);

  double sample(std::uint64_t index) const;  // noise of an ADC sample
  double output(std::uint64_t index) const;  // noise of a sum

 private:
  std::uint64_t samples_;
  std::uint64_t outputs_;
};

// The level of a `bits`-bit DAC nearest to a magnitude, expressed as a magnitude from 0 to 255.
std::uint8_t dac_level(int magnitude, int bits);

// Converts light to a sample value. `light` is a sum of products of two magnitudes, each product at
// most 255·255.
class Receiver {
 public:
  Receiver(const PhotonicDatapath& datapath, double sigma);

  // The sample value in units of input · weight / 256, at most 255 · 2^range_of(datapath). `noise`
  // is a standard normal number.
  int value(std::int64_t light, double noise) const;
  int value(std::int64_t light) const;  // without noise

  bool clips(std::int64_t light, double noise) const;
  bool noisy() const { return sigma_ > 0; }
  // True if there is no noise or loss and the ADC's range is one product. A product is then only
  // truncated: to 8 bits, and to the bits in mask().
  bool plain() const;
  int mask() const;  // if plain: the bits of a product that the ADC keeps

 private:
  std::int64_t level(std::int64_t light, double noise) const;

  double sigma_;               // in the units of value()
  int step_bits_;              // log2 of the step between ADC levels, in the units of `light`
  std::int64_t max_level_;     // highest ADC level
  std::int64_t transmission_;  // transmitted fraction of the light, in 1/65536
  std::int64_t gain_;          // gain that compensates the loss, in 1/65536
  std::int64_t largest_;       // largest sample value
};

}  // namespace loom::photonic
