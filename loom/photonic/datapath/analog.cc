#include "loom/photonic/datapath/analog.h"

#include <algorithm>
#include <cmath>

#include "loom/base/random.h"

namespace loom::photonic {
namespace {

constexpr std::int64_t kOne = 65536;  // 1.0 in fixed-point numbers

// Natural logarithm for the tails of the normal distribution. Uses plain arithmetic only, because
// math libraries differ in the last bit.
double log_of(double x) {
  constexpr double kLogOfTwo = 0.693147180559945309417232121458;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // 0.5 to 1
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  const double t = (mantissa - 1) / (mantissa + 1);
  const double square = t * t;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * t * sum + exponent * kLogOfTwo;
}

double polynomial(std::span<const double> coefficients, double x) {
  double sum = 0;
  for (std::size_t i = coefficients.size(); i > 0; --i) sum = sum * x + coefficients[i - 1];
  return sum;
}

// The rational functions of AS 241 (PPND16): center, near tails and far tails.
constexpr double kMiddleTop[] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                 1.9715909503065514427e3, 1.3731693765509461125e4,
                                 4.5921953931549871457e4, 6.7265770927008700853e4,
                                 3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr double kMiddleBottom[] = {1.0,
                                    4.2313330701600911252e1,
                                    6.8718700749205790830e2,
                                    5.3941960214247511077e3,
                                    2.1213794301586595867e4,
                                    3.9307895800092710610e4,
                                    2.8729085735721942674e4,
                                    5.2264952788528545610e3};
constexpr double kNearTop[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                               5.76949722146069140550e0,  3.64784832476320460504e0,
                               1.27045825245236838258e0,  2.41780725177450611770e-1,
                               2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr double kNearBottom[] = {1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
constexpr double kFarTop[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                              1.78482653991729133580e0,  2.96560571828504891230e-1,
                              2.65321895265761230930e-2, 1.24266094738807843860e-3,
                              2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr double kFarBottom[] = {1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};

std::uint64_t key_of(std::uint64_t seed, std::uint64_t input, int layer, std::uint64_t purpose) {
  return mix(mix(mix(seed, input), static_cast<std::uint64_t>(layer)), purpose);
}

}  // namespace

double normal_from(std::uint64_t bits) {
  // The midpoint of one of 2^53 equal intervals; its distance from the nearer end is exact.
  constexpr std::uint64_t kLast = (std::uint64_t{1} << 53) - 1;
  const std::uint64_t interval = bits >> 11;
  const bool lower = interval <= kLast / 2;
  const double tail = (static_cast<double>(lower ? interval : kLast - interval) + 0.5) * 0x1p-53;
  const double q = lower ? tail - 0.5 : 0.5 - tail;
  if (tail >= 0.075) {
    const double r = 0.180625 - q * q;
    return q * polynomial(kMiddleTop, r) / polynomial(kMiddleBottom, r);
  }
  const double r = std::sqrt(-log_of(tail));
  const double z = r <= 5 ? polynomial(kNearTop, r - 1.6) / polynomial(kNearBottom, r - 1.6)
                          : polynomial(kFarTop, r - 5) / polynomial(kFarBottom, r - 5);
  return lower ? -z : z;
}

NoiseField::NoiseField(const PhotonicNoise& noise, std::uint64_t input_index, int layer)
    : samples_(key_of(noise.seed, input_index, layer, 1)),
      outputs_(key_of(noise.seed, input_index, layer, 2)) {}

double NoiseField::sample(std::uint64_t index) const { return normal_from(mix(samples_, index)); }

double NoiseField::output(std::uint64_t index) const { return normal_from(mix(outputs_, index)); }

std::uint8_t dac_level(int magnitude, int bits) {
  const int levels = (1 << bits) - 1;
  const int level = (magnitude * levels + kLargestMagnitude / 2) / kLargestMagnitude;
  return static_cast<std::uint8_t>((level * kLargestMagnitude + levels / 2) / levels);
}

Receiver::Receiver(const PhotonicDatapath& datapath, double sigma)
    : sigma_(sigma * static_cast<double>(1 << range_of(datapath))),
      step_bits_(16 - datapath.adc_bits + range_of(datapath)),
      max_level_((1 << datapath.adc_bits) - 1),
      transmission_(std::llround(kOne * std::pow(10.0, -datapath.loss_decibel / 10))),
      gain_(datapath.compensate_loss ? (kOne * kOne + transmission_ / 2) / transmission_ : kOne),
      largest_(std::int64_t{kLargestMagnitude} << range_of(datapath)) {}

bool Receiver::plain() const {
  return sigma_ == 0 && transmission_ == kOne && largest_ == kLargestMagnitude;
}

int Receiver::mask() const { return kLargestMagnitude & ~((1 << (step_bits_ - 8)) - 1); }

std::int64_t Receiver::level(std::int64_t light, double noise) const {
  const std::int64_t arriving = (light * transmission_) >> 16;
  if (sigma_ == 0) return arriving >> step_bits_;
  const double seen = static_cast<double>(arriving) + noise * sigma_ * 256;
  return static_cast<std::int64_t>(std::floor(seen / static_cast<double>(1 << step_bits_)));
}

int Receiver::value(std::int64_t light, double noise) const {
  const std::int64_t level = std::clamp<std::int64_t>(this->level(light, noise), 0, max_level_);
  const std::int64_t value = (level << step_bits_) >> 8;
  return static_cast<int>(std::min((value * gain_ + kOne / 2) >> 16, largest_));
}

int Receiver::value(std::int64_t light) const { return value(light, 0); }

bool Receiver::clips(std::int64_t light, double noise) const {
  return level(light, noise) > max_level_;
}

}  // namespace loom::photonic
