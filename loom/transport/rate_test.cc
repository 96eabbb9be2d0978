#include "loom/transport/rate.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"

namespace loom::transport {
namespace {

constexpr std::int64_t kGbps = 1'000'000'000 * kRateUnit;  // in counts

TEST(Rate, AThirdOfALinkIsExactlyAThird) {
  const Rate third = fraction_of(kGbps, 1, 3, 0);
  EXPECT_EQ(third, (Rate{kGbps, 3, 0}));
  EXPECT_EQ(work_done(third, 3_ps), Work{kGbps});
  EXPECT_EQ(time_for(work_of(1_MB), third), 24_ms);
}

TEST(Rate, AFractionIsKeptInLowestTerms) {
  const Rate rate = fraction_of(Int128{6} * kGbps, 4, 6, 0);
  EXPECT_EQ(rate.numerator, 4 * kGbps);
  EXPECT_EQ(rate.denominator, 1);
}

TEST(Rate, EqualFractionsAreEqualHoweverTheyAreWritten) {
  EXPECT_EQ((Rate{1, 2, 0}), (Rate{3, 6, 0}));
  EXPECT_FALSE((Rate{1, 2, 0}) == (Rate{1, 2, 1}));
  EXPECT_FALSE((Rate{1, 2, 0}) == (Rate{1, 3, 0}));
}

TEST(Rate, ADenominatorOfTwentyFourBitsIsKept) {
  EXPECT_EQ(fraction_of(kGbps + 1, 1, 1 << 24, 5).denominator, 1 << 24);
  EXPECT_EQ(fraction_of(kGbps + 1, 1, 1 << 24, 5).error, 5);
}

TEST(Rate, AFinerFractionIsRoundedDownWithAnError) {
  const Rate rate = fraction_of(kGbps, 1, (1 << 24) + 1, 5);
  EXPECT_EQ(rate, (Rate{kGbps / ((1 << 24) + 1), 1, 6}));
}

TEST(Rate, TheTrueFractionLiesWithinTheError) {
  Random random = random_stream(21);
  for (int number = 0; number < 10'000; ++number) {
    const std::int64_t counts = std::int64_t{random()} << random(24);
    const std::int64_t denominator = 1 + (std::int64_t{random()} << random(24));
    const std::int64_t numerator = 1 + static_cast<std::int64_t>(random()) % denominator;
    const Rate rate = fraction_of(counts, numerator, denominator, 0);
    const Int128 exact = Int128{counts} * numerator;  // over `denominator`
    ASSERT_LE(Int128{rate.numerator} * denominator, exact * rate.denominator)
        << "number " << number;
    ASSERT_GE((Int128{rate.numerator} + rate.error) * denominator, exact * rate.denominator)
        << "number " << number;
    ASSERT_LE(rate.denominator, 1 << 24);
  }
}

TEST(Rate, BandwidthsAreCountedInFractionsOfABit) {
  EXPECT_TRUE(counts_of(1_bps) == 1024);
  EXPECT_TRUE(counts_of(kLargestBandwidth) == Int128{kLargestBandwidth.bits_per_second} * 1024);
  EXPECT_EQ(bandwidth_of({3072, 2, 0}), 1_bps);
}

TEST(Rate, ATransferTakesItsSizeOverItsRate) {
  Random random = random_stream(22);
  for (int number = 0; number < 10'000; ++number) {
    const Bytes size{1 + (std::int64_t{random()} << random(12))};
    const Bandwidth bandwidth{1'000'000 + (std::int64_t{random()} << random(16))};
    ASSERT_EQ(time_for(work_of(size), {static_cast<std::int64_t>(counts_of(bandwidth)), 1, 0}),
              transfer_time(size, bandwidth));
  }
}

TEST(Rate, TimeIsRoundedUpAndWorkDown) {
  const Rate third{1, 3, 0};
  EXPECT_EQ(time_for(Work{1}, third), 3_ps);
  EXPECT_EQ(time_for(Work{4}, {3, 1, 0}), 2_ps);
  EXPECT_EQ(work_done(third, 2_ps), Work{0});
  EXPECT_EQ(work_done(third, 4_ps), Work{1});
}

TEST(Rate, TheErrorCountsInFavorOfAnEarlyEnd) {
  EXPECT_EQ(time_for(Work{600}, {3, 2, 0}), 400_ps);
  EXPECT_EQ(time_for(Work{600}, {3, 2, 1}), 240_ps);
}

TEST(Rate, NothingLeftTakesNoTime) {
  EXPECT_EQ(time_for(Work{0}, {0, 1, 0}), 0_ps);
  EXPECT_EQ(time_for(Work{-1}, {1, 1, 0}), 0_ps);
}

TEST(Rate, AtRateZeroATransferTakesForever) { EXPECT_EQ(time_for(Work{1}, {0, 1, 0}), kForever); }

TEST(Rate, TheLargestSizeAtTheFinestRateDoesNotOverflow) {
  EXPECT_EQ(time_for(work_of(kLargestSize), {1, 1 << 24, 0}), kForever);
}

TEST(Rate, BytesOfWorkAreRoundedUp) {
  EXPECT_EQ(bytes_in(work_of(5_B)), 5_B);
  EXPECT_EQ(bytes_in(work_of(5_B) + 1), 6_B);
  EXPECT_EQ(bytes_in(work_of(5_B) - 1), 5_B);
  EXPECT_EQ(bytes_in(Work{-1}), 0_B);
}

}  // namespace
}  // namespace loom::transport
