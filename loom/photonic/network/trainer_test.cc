#include "loom/photonic/network/trainer.h"

#include <gtest/gtest.h>

#include "loom/photonic/datapath/curves.h"
#include "loom/photonic/datapath/functional.h"

namespace loom::photonic {
namespace {

// Trained once for all tests in this file.
struct Trained {
  LabeledInputs test = make_digits(1000, 2);
  PhotonicNetwork network = quantize("digits", train(make_digits(3000, 1), {.epochs = 6}));
};

const Trained& trained() {
  static const Trained kTrained;
  return kTrained;
}

double accuracy(const PhotonicNetwork& network, const LabeledInputs& set) {
  const auto results = run_all(PhotonicProgram(network), set.inputs);
  int right = 0;
  for (std::size_t i = 0; i < results.size(); ++i)
    right += results[i].label == set.labels[i] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(results.size());
}

TEST(Digits, AreTheSameForTheSameSeed) {
  EXPECT_EQ(make_digits(20, 5).inputs, make_digits(20, 5).inputs);
  EXPECT_NE(make_digits(20, 5).inputs, make_digits(20, 6).inputs);
}

TEST(Trainer, LearnsDigitsThatItHasNotSeen) {
  EXPECT_GT(accuracy(trained().network, trained().test), 0.93);
}

TEST(Trainer, TheSameSeedGivesTheSameNetwork) {
  const LabeledInputs set = make_digits(200, 3);
  const TrainingPlan plan{.hidden = {8}, .epochs = 2};
  EXPECT_EQ(quantize("n", train(set, plan)), quantize("n", train(set, plan)));
}

TEST(DesignCurves, AccuracyFallsWithNoiseBitsAndWithoutTheMask) {
  const Trained& it = trained();
  const auto curve = [&](DesignAxis axis, std::vector<double> values, PhotonicNoise noise) {
    DesignSetup setup;
    setup.noise = noise;
    setup.seeds = 2;
    return design_curve(it.network, it.test.inputs, it.test.labels, axis, values, setup);
  };
  const auto sigma = curve(DesignAxis::sigma, {0, 1.657, 40}, {});
  EXPECT_EQ(sigma[0].agreement, 1);
  EXPECT_GT(sigma[1].accuracy, sigma[0].accuracy - 0.05);
  EXPECT_LT(sigma[2].accuracy, sigma[1].accuracy);
  const auto bits = curve(DesignAxis::bits, {8, 1}, {});
  EXPECT_EQ(bits[0].agreement, 1);
  EXPECT_LT(bits[1].accuracy, bits[0].accuracy);
  const auto mask = curve(DesignAxis::mask, {1, 0}, {.sample_sigma = 3});
  EXPECT_LT(mask[1].accuracy, mask[0].accuracy);
  const auto wavelengths = curve(DesignAxis::wavelengths, {1, 8}, {});
  EXPECT_LT(wavelengths[1].cycles, wavelengths[0].cycles);
}

TEST(DesignCurves, ValuesThatAnAxisDoesNotSupportAreRefused) {
  EXPECT_EQ(design_objection(DesignAxis::bits, 9, {}),
            "a converter has 9 bits; 1 to 8 are possible");
  EXPECT_EQ(design_objection(DesignAxis::bits, 2.5, {}), "bits is 2.5; an integer is needed");
  EXPECT_EQ(design_objection(DesignAxis::mask, 2, {}), "mask is 2; 0 or 1 is needed");
  EXPECT_EQ(design_objection(DesignAxis::sigma, -1, {}), "sigma is -1; 0 to 255 are possible");
  EXPECT_EQ(design_objection(DesignAxis::wavelengths, 4, {}), std::nullopt);
  EXPECT_EQ(design_axis("bits"), DesignAxis::bits);
  EXPECT_EQ(design_axis("bit"), std::nullopt);
}

}  // namespace
}  // namespace loom::photonic
