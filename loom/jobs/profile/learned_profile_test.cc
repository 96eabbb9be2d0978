#include "loom/jobs/profile/learned_profile.h"

#include <gtest/gtest.h>

#include <cmath>

#include "loom/base/random.h"

namespace loom::jobs {
namespace {

// A series in intervals of 1 ms: idle, then a burst of `busy` ms at 8 Gbps, with noise.
Series bursts(double period, double busy, int intervals, double noise, std::uint64_t seed) {
  Random random = random_stream(seed);
  Series series{Duration(0), std::chrono::milliseconds(1), {}};
  for (int i = 0; i < intervals; ++i) {
    double sent = 0;
    constexpr int kSteps = 20;
    for (int p = 0; p < kSteps; ++p) {
      const double at = std::fmod(i + (p + 0.5) / kSteps, period);
      if (at >= period - busy) sent += 1e6 / kSteps;
    }
    const double sample = 2.0 * random(1001) / 1000 - 1;
    series.bytes.push_back(std::max(0.0, sent * (1 + noise * sample)));
  }
  return series;
}

TEST(LearnedProfile, FindsPeriodAndPhasesOfAJobWithOneBurst) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random = random_stream(seed, 9);
    const double period = 20 + random(1000) / 10.0;
    const double busy = period * (0.2 + random(50) / 100.0);
    const Learned learned =
        learn_profile(bursts(period, busy, static_cast<int>(12 * period), 0.1, seed), {});
    EXPECT_NEAR(static_cast<double>(learned.period.count()), period * 1e9, period * 1e9 * 0.004)
        << seed;
    ASSERT_EQ(learned.phases.front().rate > learned.phases.back().rate, true) << seed;
    double sending = 0;
    double bits = 0;
    for (const LearnedPhase& it : learned.phases) {
      const auto length = static_cast<double>(it.length.count()) * 1e-9;
      bits += length * static_cast<double>(it.rate.bits_per_second);
      if (it.rate > Bandwidth{4'000'000'000}) sending += length;
    }
    EXPECT_NEAR(sending, busy, 2) << seed;
    EXPECT_NEAR(bits / 8e9, busy, busy * 0.05) << seed;
    EXPECT_LT(learned.error, 0.1) << seed;
    EXPECT_GT(learned.periodicity, 0.7) << seed;
  }
}

TEST(LearnedProfile, TwoDifferentBurstsAreOneIteration) {
  for (const double second : {0.5, 0.7, 0.85}) {
    Random random = random_stream(7);
    Series series{Duration(0), std::chrono::milliseconds(1), {}};
    for (int i = 0; i < 2000; ++i) {
      const int at = i % 100;
      const double sent = at < 10 ? 1e6 : at >= 50 && at < 60 ? second * 1e6 : 0;
      series.bytes.push_back(sent * (0.97 + 0.06 * random(1001) / 1000));
    }
    const Learned learned = learn_profile(series, {});
    EXPECT_NEAR(static_cast<double>(learned.period.count()), 100e9, 0.4e9) << second;
    EXPECT_LT(learned.error, 0.03) << second;
  }
}

TEST(LearnedProfile, AnExactSeriesHasItsExactPeriodHoweverShort) {
  for (const double period : {20.0, 37.0, 100.0}) {
    for (const double periods : {3.0, 3.1, 3.5, 4.2, 10.0}) {
      const Series series = bursts(period, period / 5, static_cast<int>(period * periods), 0.0, 1);
      const Learned learned = learn_profile(series, {});
      EXPECT_EQ(learned.period, Duration(std::llround(period * 1e9))) << period << " " << periods;
    }
    EXPECT_THROW(
        learn_profile(bursts(period, period / 5, static_cast<int>(period * 2.8), 0.0, 1), {}),
        InputError);
  }
}

TEST(LearnedProfile, PureNoiseHasNoPeriod) {
  Random random = random_stream(3);
  Series series{Duration(0), std::chrono::milliseconds(1), {}};
  for (int i = 0; i < 4000; ++i) series.bytes.push_back(random(1000));
  EXPECT_THROW(learn_profile(series, {}), InputError);
  EXPECT_THROW(
      learn_profile({Duration(0), std::chrono::milliseconds(1), std::vector<double>(100, 5.0)}, {}),
      InputError);
}

TEST(LearnedProfile, ASeriesIsResampledToEqualIntervals) {
  std::string text = "time [ms],bytes [B]\n0,0\n";
  for (int i = 1; i <= 20; ++i) text += std::to_string(i) + ",100\n";
  text += "22,300\n";  // a row is missing: its bytes are spread over two intervals
  const Series series = read_series(text, "t.csv", {});
  EXPECT_EQ(series.interval, 1_ms);
  ASSERT_EQ(series.bytes.size(), 22U);
  EXPECT_NEAR(series.bytes[3], 100, 1e-9);
  EXPECT_NEAR(series.bytes[20], 150, 1e-9);
  EXPECT_NEAR(series.bytes[21], 150, 1e-9);
}

TEST(LearnedProfile, FractionsOfAPicosecondInMeasuredTimesAreDropped) {
  std::string text = "time [s],bytes [B]\n0,0\n0.001,1\n0.002,1\n0.0030000000000000005,1\n";
  for (int i = 4; i <= 20; ++i) text += std::to_string(i / 1000.0) + ",1\n";
  EXPECT_EQ(read_series(text, "t.csv", {}).interval, 1_ms);
  for (const std::string bad : {"0.02.1", "x.5", "0.0x", "1e-3"}) {
    EXPECT_THROW(read_series(text + bad + ",1\n", "t.csv", {}), InputError) << bad;
  }
}

TEST(LearnedProfile, TimesMustAscend) {
  std::string text = "time [ms],bytes [B]\n";
  for (int i = 1; i <= 20; ++i) text += std::to_string(i % 15) + ",1\n";
  try {
    read_series(text, "t.csv", {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "t.csv:16: time is 0 [ms]; a time after that of the row before is needed");
  }
}

}  // namespace
}  // namespace loom::jobs
