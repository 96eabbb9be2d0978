#include "loom/photonic/datapath/analog.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loom/base/random.h"

namespace loom::photonic {
namespace {

double share_below(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

TEST(Noise, IsTheInverseOfTheNormalDistribution) {
  for (const double p : {1e-12, 1e-9, 1e-6, 0.001, 0.05, 0.1, 0.3, 0.5, 0.77, 0.99, 0.999999}) {
    const double z = normal_from(static_cast<std::uint64_t>(p * 0x1p64));
    EXPECT_NEAR(share_below(z) / p, 1, 1e-9 + 0x1p-53 / p) << p;
  }
  EXPECT_GT(normal_from(~std::uint64_t{0}), 8);
  EXPECT_LT(normal_from(0), -8);
}

TEST(Noise, HasTheMomentsOfANormalDistribution) {
  const NoiseField field({.seed = 5}, 3, 1);
  constexpr int kCount = 200'000;
  double sum = 0;
  double squares = 0;
  double fourth = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double z = field.sample(i);
    sum += z;
    squares += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.02);
  EXPECT_NEAR(fourth / kCount, 3, 0.1);
}

TEST(Noise, DiffersBetweenSeedsInputsLayersAndPurposes) {
  const double first = NoiseField({.seed = 1}, 0, 0).sample(0);
  EXPECT_EQ(NoiseField({.seed = 1}, 0, 0).sample(0), first);
  EXPECT_NE(NoiseField({.seed = 2}, 0, 0).sample(0), first);
  EXPECT_NE(NoiseField({.seed = 1}, 1, 0).sample(0), first);
  EXPECT_NE(NoiseField({.seed = 1}, 0, 1).sample(0), first);
  EXPECT_NE(NoiseField({.seed = 1}, 0, 0).output(0), first);
}

TEST(Modulators, HaveAsManyLevelsAsTheirDacHasBits) {
  for (int magnitude = 0; magnitude <= 255; ++magnitude)
    EXPECT_EQ(dac_level(magnitude, 8), magnitude);
  EXPECT_EQ(dac_level(127, 1), 0);
  EXPECT_EQ(dac_level(128, 1), 255);
  EXPECT_EQ(dac_level(100, 2), 85);
}

constexpr std::int64_t kProduct = 65'025;  // the largest: 255 times 255

TEST(Receiver, TruncatesAProductToEightBits) {
  const Receiver receiver({}, 0);
  ASSERT_TRUE(receiver.plain());
  for (int a = 0; a <= 255; a += 5) {
    for (int w = 0; w <= 255; ++w) EXPECT_EQ(receiver.value(std::int64_t{a} * w), (a * w) >> 8);
  }
  EXPECT_FALSE(receiver.clips(kProduct, 0));
}

TEST(Receiver, ClipsLightBeyondItsRange) {
  const Receiver receiver({.wavelengths = 4, .adc_range = 1}, 0);
  EXPECT_EQ(receiver.value(4 * kProduct), 2 * 255);
  EXPECT_TRUE(receiver.clips(4 * kProduct, 0));
  EXPECT_FALSE(receiver.clips(kProduct, 0));
  const Receiver wide({.wavelengths = 4}, 0);
  EXPECT_FALSE(wide.clips(4 * kProduct, 0));
  EXPECT_EQ(wide.value(4 * kProduct), 1016);  // in steps of 4
}

TEST(Receiver, FewerBitsGiveCoarserLevels) {
  const Receiver receiver({.adc_bits = 4}, 0);
  EXPECT_EQ(receiver.value(200 << 8), 192);
  EXPECT_EQ(receiver.value(15 << 8), 0);
  EXPECT_EQ(receiver.mask(), 0xf0);
}

TEST(Receiver, CompensatesLossToWithinALevelOfTheAdc) {
  const Receiver lossless({}, 0);
  const Receiver receiver({.loss_decibel = 3}, 0);
  for (int light = 0; light <= 255 * 255; light += 97) {
    EXPECT_NEAR(receiver.value(light), lossless.value(light), 3);
  }
  const Receiver dim({.loss_decibel = 3, .compensate_loss = false}, 0);
  EXPECT_NEAR(dim.value(kProduct), 254 * 0.501, 2);
}

TEST(Receiver, NeverGivesANegativeValue) {
  const Receiver receiver({}, 2);
  EXPECT_EQ(receiver.value(0, -3), 0);
  EXPECT_EQ(receiver.value(100 << 8, 1), 102);
}

}  // namespace
}  // namespace loom::photonic
