#include "loom/photonic/datapath/modulator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loom/base/random.h"

namespace loom::photonic {
namespace {

TEST(Modulator, IsDarkAtItsBiasAndBrightHalfAPeriodLater) {
  const ModulatorCurve curve{.v_pi = 3, .bias = 0.5, .lowest = 0.01, .highest = 0.9};
  EXPECT_DOUBLE_EQ(transmitted(curve, 0.5), 0.01);
  EXPECT_DOUBLE_EQ(transmitted(curve, 3.5), 0.9);
  EXPECT_NEAR(transmitted(curve, 2.0), 0.455, 1e-12);
}

TEST(Calibration, WithoutNoiseFindsTheCurve) {
  Random random = random_stream(1);
  for (int i = 0; i < 20; ++i) {
    const ModulatorCurve curve{.v_pi = 2.5 + random(250) / 100.0,
                               .bias = random(80) / 100.0,
                               .lowest = random(20) / 1000.0,
                               .highest = 0.5 + random(50) / 100.0};
    const ModulatorCurve fitted = fit(sweep(curve, {}, 400, 0, 1));
    EXPECT_NEAR(fitted.v_pi, curve.v_pi, 1e-4) << i;
    EXPECT_NEAR(fitted.bias, curve.bias, 1e-4) << i;
    EXPECT_NEAR(fitted.lowest, curve.lowest, 1e-4) << i;
    EXPECT_NEAR(fitted.highest, curve.highest, 1e-4) << i;
  }
}

TEST(Calibration, MakesIntensitiesLinear) {
  const CalibrationReport clean = calibrate({}, {}, 0, 1);
  EXPECT_LT(clean.largest_error, 0.05);
  EXPECT_GT(clean.product_accuracy, 0.9999);
}

TEST(Calibration, LeavesTheNoiseOfTheDetector) {
  const CalibrationReport noisy = calibrate({}, {}, 1.657, 1);
  EXPECT_LT(noisy.rms_error, 0.3);
  EXPECT_NEAR(noisy.product_sigma, 1.657, 0.1);
  // The mean of |normal| is σ·√(2/π).
  EXPECT_NEAR(noisy.product_accuracy, 1 - 1.657 * std::sqrt(2 / M_PI) / 255, 0.001);
}

TEST(Calibration, IsLimitedByTheStepsOfTheDac) {
  const CalibrationReport coarse = calibrate({}, {.bits = 6}, 0, 1);
  EXPECT_GT(coarse.largest_error, 2);
  EXPECT_LT(coarse.largest_error, 255 * M_PI / 2 * 7 / 4.0 / 63);
}

}  // namespace
}  // namespace loom::photonic
