// Tests the file that the kernel runs, driven by a simulated kernel.
#include "bpf/mltcp_core.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "loom/base/random.h"

namespace loom::bpf {
namespace {

constexpr mltcp_settings kSettings = {.slope = 1792,
                                      .intercept = 256,
                                      .idle = 10'000,
                                      .min_bytes = 64'000,
                                      .tolerance = 64,
                                      .needed = 3};

// The state of a flow after iterations of these bytes, each lasting `time` us.
mltcp_flow after(const std::vector<std::uint64_t>& iterations, std::uint64_t time = 500'000) {
  mltcp_flow flow = {};
  std::uint64_t acked = 1'000;
  std::uint64_t now = 1;
  mltcp_begin(&kSettings, &flow, acked, now);
  for (const std::uint64_t bytes : iterations) {
    mltcp_begin(&kSettings, &flow, acked += bytes, now += time);
  }
  return flow;
}

TEST(MltcpCore, FIsSlopeTimesFractionPlusIntercept) {
  EXPECT_EQ(mltcp_factor(&kSettings, 0, 1'000'000), 256U);
  EXPECT_EQ(mltcp_factor(&kSettings, 500'000, 1'000'000), 256U + 896U);
  EXPECT_EQ(mltcp_factor(&kSettings, 1'000'000, 1'000'000), 2048U);
}

TEST(MltcpCore, FMatchesRealArithmeticUpToRoundingTo1024ths) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Random random = random_stream(seed);
    for (int i = 0; i < 1000; ++i) {
      mltcp_settings settings = kSettings;
      settings.slope = random(8192);
      settings.intercept = random(4096);
      const std::uint64_t learned = 1 + (std::uint64_t{random()} << random(8));
      const std::uint64_t through = random() % (learned + 1);
      const double exact =
          settings.slope * static_cast<double>(through) / static_cast<double>(learned) +
          settings.intercept;
      const double given = mltcp_factor(&settings, through, learned);
      EXPECT_LE(given, exact + 1e-6) << "seed " << seed;
      EXPECT_GE(given, exact - 1 - settings.slope / 1024.0) << "seed " << seed;
    }
  }
}

TEST(MltcpCore, FIsOneIfNothingIsLearnedOrMuchMoreWasSent) {
  EXPECT_EQ(mltcp_factor(&kSettings, 123, 0), MLTCP_ONE);
  EXPECT_EQ(mltcp_factor(&kSettings, 1'062'500, 1'000'000), 2048U);
  EXPECT_EQ(mltcp_factor(&kSettings, 1'062'501, 1'000'000), MLTCP_ONE);
}

TEST(MltcpCore, WithAFactorOfOneEveryPacketCountsAsItself) {
  mltcp_flow flow = {};
  flow.carry = 1023;
  for (std::uint32_t acked = 0; acked < 100; ++acked) {
    EXPECT_EQ(mltcp_scaled(&flow, acked, MLTCP_ONE), acked);
  }
}

TEST(MltcpCore, ScaledPacketsAddUpExactly) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random = random_stream(seed);
    mltcp_flow flow = {};
    std::uint64_t sum = 0;
    std::uint64_t exact = 0;  // in 1/1024
    for (int i = 0; i < 1000; ++i) {
      const std::uint32_t acked = random(64);
      std::uint32_t factor = 1 + random(4096);
      if (factor == MLTCP_ONE) ++factor;
      sum += mltcp_scaled(&flow, acked, factor);
      exact += std::uint64_t{acked} * factor;
      EXPECT_EQ(sum, exact >> 10) << "seed " << seed;
    }
  }
}

// Whether an iteration starts after each of these silences, in us.
std::vector<bool> begins(const std::vector<std::uint64_t>& silences) {
  mltcp_flow flow = after({});
  std::vector<bool> each;
  each.reserve(silences.size());
  for (const std::uint64_t it : silences) each.push_back(mltcp_begins(&kSettings, &flow, 0, it));
  return each;
}

TEST(MltcpCore, AnIterationStartsAfterSilenceWithNothingOutstanding) {
  mltcp_flow flow = after({});
  EXPECT_FALSE(mltcp_begins(&kSettings, &flow, 0, 9'999));
  EXPECT_FALSE(mltcp_begins(&kSettings, &flow, 1, 200'000));  // a retransmission after a timeout
  EXPECT_TRUE(mltcp_begins(&kSettings, &flow, 0, 10'000));
}

TEST(MltcpCore, TheFirstDataOfAFlowStartsAnIteration) {
  mltcp_flow flow = {};
  EXPECT_TRUE(mltcp_begins(&kSettings, &flow, 0, 0));
}

TEST(MltcpCore, ShortPausesBetweenLongOnesAreNoBoundaries) {
  EXPECT_EQ(begins({100'000, 15'000, 18'000, 100'000, 20'000, 100'000}),
            (std::vector<bool>{true, false, false, true, false, true}));
}

TEST(MltcpCore, OneLongSilenceDoesNotHideTheNextBoundaries) {
  EXPECT_EQ(begins({100'000, 100'000, 3'600'000'000, 100'000, 100'000}),
            (std::vector<bool>(5, true)));
  EXPECT_EQ(begins({3'600'000'000, 50'000, 50'000}), (std::vector<bool>(3, true)));
}

TEST(MltcpCore, AJobThatSpeedsUpIsDetectedAgain) {
  std::vector<std::uint64_t> silences = {100'000, 400'000, 400'000};
  silences.insert(silences.end(), 20, 20'000);
  EXPECT_TRUE(begins(silences).back());
}

TEST(MltcpCore, BytesAreLearnedFromThreeSimilarIterations) {
  EXPECT_EQ(after({5'000'000}).learned, 0U);
  EXPECT_EQ(after({5'000'000, 5'000'000}).learned, 0U);
  EXPECT_EQ(after({5'000'000, 5'000'000, 5'000'000}).learned, 5'000'000U);
  EXPECT_EQ(after({1, 5'000'000, 5'000'100, 4'999'900}).learned, 4'999'900U);
}

TEST(MltcpCore, ADissimilarIterationClearsWhatWasLearned) {
  EXPECT_EQ(after({5'000'000, 5'000'000, 5'000'000, 10'000'000}).learned, 0U);
  EXPECT_EQ(after({5'000'000, 5'000'000, 5'000'000, 10'000'000, 5'000'000}).learned, 0U);
}

// Two iterations taken for one: counts come from the kernel, so the next three are right again.
TEST(MltcpCore, AMissedBoundaryIsForgottenAfterThreeIterations) {
  EXPECT_EQ(after({5'000'000, 5'000'000, 10'000'000, 5'000'000, 5'000'000, 5'000'000}).learned,
            5'000'000U);
}

TEST(MltcpCore, SmallTransfersAreNotTraining) {
  EXPECT_EQ(after({63'999, 63'999, 63'999, 63'999}).learned, 0U);
  EXPECT_EQ(after({64'000, 64'000, 64'000}).learned, 64'000U);
}

TEST(MltcpCore, TransfersAtIrregularTimesAreNotTraining) {
  mltcp_flow flow = {};
  std::uint64_t now = 1;
  std::uint64_t time = 100'000;
  mltcp_begin(&kSettings, &flow, 0, now);
  for (int i = 1; i < 8; ++i) {
    mltcp_begin(&kSettings, &flow, static_cast<std::uint64_t>(i) * 1'000'000, now += time);
    time *= 5;
    EXPECT_EQ(flow.learned, 0U);
  }
}

// Random sizes, each at least an eighth away from the previous one: no two are ever similar.
TEST(MltcpCore, RandomTransfersAreNeverLearned) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random = random_stream(seed);
    std::vector<std::uint64_t> sizes = {1'000'000};
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t size = 100'000 + random(10'000'000);
      const std::uint64_t last = sizes.back();
      if (size * 8 > last * 9 || size * 9 < last * 8) sizes.push_back(size);
      EXPECT_EQ(after(sizes).learned, 0U) << "seed " << seed;
    }
  }
}

TEST(MltcpCore, StatisticsAreDueEveryTenthOfASecond) {
  EXPECT_TRUE(mltcp_is_due(0, 1));
  EXPECT_FALSE(mltcp_is_due(5'000'000, 5'000'000));
  EXPECT_FALSE(mltcp_is_due(5'000'000, 5'099'999));
  EXPECT_TRUE(mltcp_is_due(5'000'000, 5'100'000));
}

}  // namespace
}  // namespace loom::bpf
