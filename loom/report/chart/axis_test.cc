#include "loom/report/chart/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "loom/base/random.h"

namespace loom::report {
namespace {

using Numbers = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string labels(const Axis& axis) {
  std::string out;
  for (const double tick : axis.ticks) out += (out.empty() ? "" : ", ") + short_number(tick);
  return out;
}

std::string linear(const Numbers& values, int max_ticks = 6) {
  return labels(axis_around(values, false, max_ticks));
}

std::string logarithmic(const Numbers& values, int max_ticks = 6) {
  return labels(axis_around(values, true, max_ticks));
}

TEST(Axis, NumbersAreShort) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(-0.0), "0");
  EXPECT_EQ(short_number(0.1 + 0.2), "0.3");
  EXPECT_EQ(short_number(2), "2");
  EXPECT_EQ(short_number(-2.5), "-2.5");
  EXPECT_EQ(short_number(999.99), "1 k");
  EXPECT_EQ(short_number(10'000), "10 k");
  EXPECT_EQ(short_number(1.5e6), "1.5 M");
  EXPECT_EQ(short_number(2e9), "2 G");
  EXPECT_EQ(short_number(5e14), "500 T");
  EXPECT_EQ(short_number(1e20), "1e20");
  EXPECT_EQ(short_number(0.001), "0.001");
  EXPECT_EQ(short_number(1e-4), "1e-4");
  EXPECT_EQ(short_number(-1.5e-6), "-1.5e-6");
}

TEST(Axis, LinearTicksAreRound) {
  EXPECT_EQ(linear({0, 10}), "0, 2, 4, 6, 8, 10");
  EXPECT_EQ(linear({0, 0.7}), "0, 0.2, 0.4, 0.6, 0.8");
  EXPECT_EQ(linear({-3, 4}), "-4, -2, 0, 2, 4");
  EXPECT_EQ(linear({0, 50'000}), "0, 10 k, 20 k, 30 k, 40 k, 50 k");
}

TEST(Axis, ALinearAxisBeginsAtZeroIfValuesComeNear) {
  EXPECT_EQ(axis_around(Numbers{40, 100}, false, 6).low, 0);
  EXPECT_EQ(axis_around(Numbers{-40, -100}, false, 6).high, 0);
  EXPECT_GT(axis_around(Numbers{90, 100}, false, 6).low, 80);
}

TEST(Axis, AFarTickIsLeftOutAndTheAxisEndsSoonAfterItsLastValue) {
  const Axis axis = axis_around(Numbers{0, 81}, false, 6);
  EXPECT_EQ(labels(axis), "0, 20, 40, 60, 80");
  EXPECT_GT(axis.high, 81);
  EXPECT_LT(axis.high, 85);
}

TEST(Axis, LogarithmicTicksArePowersOfTenWithMoreBetweenIfThereIsRoom) {
  EXPECT_EQ(logarithmic({1, 10'000}), "1, 10, 100, 1 k, 10 k");
  EXPECT_EQ(logarithmic({1, 100}, 5), "1, 3, 10, 30, 100");
  EXPECT_EQ(logarithmic({1, 100}, 7), "1, 2, 5, 10, 20, 50, 100");
  EXPECT_EQ(logarithmic({1e-6, 1e6}, 7), "1e-6, 1e-4, 0.01, 1, 100, 10 k, 1 M");
}

TEST(Axis, AShortLogarithmicAxisHasTheTicksOfALinearOne) {
  EXPECT_EQ(logarithmic({1.1, 2.4}, 4), "1, 1.5, 2, 2.5");
  EXPECT_EQ(logarithmic({1, 5}, 4), "2, 4, 6");
}

TEST(Axis, ASingleValueIsInTheMiddle) {
  EXPECT_NEAR(axis_around(Numbers{12'000}, false, 6).place(12'000), 0.5, 0.1);
  EXPECT_NEAR(axis_around(Numbers{0}, false, 6).place(0), 0.5, 0.1);
  EXPECT_NEAR(axis_around(Numbers{-3}, false, 6).place(-3), 0.5, 0.1);
  EXPECT_NEAR(axis_around(Numbers{7}, true, 6).place(7), 0.5, 0.15);
}

TEST(Axis, ValuesThatCannotBeDrawnAreIgnored) {
  EXPECT_FALSE(drawable(std::nan(""), false));
  EXPECT_FALSE(drawable(-kInfinity, false));
  EXPECT_TRUE(drawable(0, false));
  EXPECT_FALSE(drawable(0, true));
  EXPECT_FALSE(drawable(-1, true));
  EXPECT_EQ(linear({0, 10, kInfinity, std::nan("")}), linear({0, 10}));
  EXPECT_EQ(logarithmic({-5, 0, 1, 100}), logarithmic({1, 100}));
  EXPECT_EQ(linear({}), linear({0, 1}));
  EXPECT_EQ(logarithmic({}), logarithmic({1, 10}));
}

TEST(Axis, EveryValueAndTickLiesOnTheAxis) {
  Random random = random_stream(3);
  for (int i = 0; i < 20'000; ++i) {
    const bool is_logarithmic = i % 2 == 0;
    const double scale = std::pow(10, static_cast<double>(random(560)) - 280);
    Numbers values;
    for (int n = 0; n < 3; ++n) {
      const double sign = is_logarithmic || random(2) == 0 ? 1 : -1;
      values.push_back(sign * scale * (1 + static_cast<double>(random(1'000'000)) / 9));
    }
    const int max_ticks = 2 + static_cast<int>(random(9));
    const Axis axis = axis_around(values, is_logarithmic, max_ticks);
    ASSERT_GE(axis.ticks.size(), 1U);
    ASSERT_LE(axis.ticks.size(), static_cast<std::size_t>(max_ticks) + 2);
    values.insert(values.end(), axis.ticks.begin(), axis.ticks.end());
    for (const double value : values) {
      ASSERT_GE(axis.place(value), -1e-6) << value;
      ASSERT_LE(axis.place(value), 1 + 1e-6) << value;
    }
  }
}

TEST(Axis, ExtremeValuesAreDrawnToo) {
  EXPECT_GE(axis_around(Numbers{-1e290, 1e290}, false, 5).ticks.size(), 2U);
  EXPECT_GE(axis_around(Numbers{1e-290, 1e290}, true, 5).ticks.size(), 2U);
  EXPECT_GE(axis_around(Numbers{0, 1e-320}, false, 5).ticks.size(), 2U);
  EXPECT_GE(axis_around(Numbers{1e15, 1e15 + 1}, false, 5).ticks.size(), 2U);
}

}  // namespace
}  // namespace loom::report
