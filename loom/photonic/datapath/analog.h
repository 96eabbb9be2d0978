// What a detector and its ADC make of light: noise, loss, range, levels.
//
// Noise is a function of its place (seed, input, layer, sample), not of the order in which it is
// asked for: the cycle-accurate engine and the functional path see the same.
#pragma once

#include <cstdint>
#include <span>

#include "loom/photonic/datapath/datapath.h"

namespace loom {

inline constexpr double kPrototypeSigma = 1.657;  // what Lightning's authors measured, of 255

// Of 255, as a calibrated core has it.
struct PhotonicNoise {
  double sample_sigma = 0;  // of each ADC sample, where 255 is the ADC's whole range
  double output_sigma = 0;  // of each sum of a layer, where 255 is the layer's largest
  std::uint64_t seed = 1;

  bool operator==(const PhotonicNoise&) const = default;
};

// A normally distributed number from 64 evenly distributed bits, by the inverse of the normal
// distribution (Wichura, algorithm AS 241, 1988). Same bits in, same number out, on every machine.
double normal_from(std::uint64_t bits);

// The noise of one layer of one input.
class NoiseField {
 public:
  NoiseField(const PhotonicNoise& noise, std::uint64_t input_index, int layer);

  double sample(std::uint64_t index) const;  // standard deviation 1
  double output(std::uint64_t index) const;

 private:
  std::uint64_t samples_;
  std::uint64_t outputs_;
};

// The level of a modulator nearest to a magnitude, as a magnitude again.
std::uint8_t dac_level(int magnitude, int bits);

// What a sample is worth, for light that carries the sum of products (each at most 255·255).
class Receiver {
 public:
  Receiver(const PhotonicDatapath& datapath, double sigma);

  // In units of one product (a·w / 256), at most 255 times two to the range. `noise` has standard
  // deviation 1.
  int value(std::int64_t light, double noise) const;
  int value(std::int64_t light) const;  // without noise

  bool clips(std::int64_t light, double noise) const;
  bool noisy() const { return sigma_ > 0; }
  // Nothing happens but cutting a product to 8 bits and those to the ADC's: see mask().
  bool plain() const;
  int mask() const;  // plain: the bits of a product that the ADC keeps

 private:
  std::int64_t level(std::int64_t light, double noise) const;

  double sigma_;               // in products
  int step_bits_;              // two to this is a level of the ADC, in 1/256 of a product
  std::int64_t max_level_;     // the highest level
  std::int64_t transmission_;  // of light, in 1/65536
  std::int64_t gain_;          // that makes up for it, in 1/65536
  std::int64_t largest_;       // value
};

}  // namespace loom
