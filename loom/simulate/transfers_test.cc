#include "loom/simulate/transfers.h"

#include <gtest/gtest.h>

namespace loom {
namespace {

using Way = std::vector<Hop>;

std::vector<Link> links_of(int count, Bandwidth bandwidth) {
  return std::vector<Link>(static_cast<std::size_t>(count), Link{0, 1, bandwidth});
}

TEST(Transfers, ATransferEndsInTheFirstPicosecondInWhichNothingIsLeft) {
  Transfers transfers(links_of(1, 3_Gbps));
  transfers.start(Way{{0}}, 1_B, 1, 10_ps);
  transfers.update(10_ps);
  EXPECT_EQ(transfers.next_end(), 10_ps + 2667_ps);
}

TEST(Transfers, ThreeThatShareALinkEndTogetherToThePicosecond) {
  Transfers transfers(links_of(1, 1_Gbps));
  for (int i = 0; i < 3; ++i) transfers.start(Way{{0}}, 125_B, 1, 0_ps);
  transfers.update(0_ps);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(transfers.next_end(), 3_us);
    EXPECT_EQ(transfers.next(), i) << "the earliest started first";
    transfers.stop(transfers.next(), 3_us);
  }
  EXPECT_TRUE(transfers.empty());
  EXPECT_EQ(transfers.next_end(), kForever);
  EXPECT_EQ(transfers.carried(0), 375_B);
}

TEST(Transfers, WhatWasSentAtAnotherRateStaysSent) {
  Transfers transfers(links_of(1, 1_Gbps));
  transfers.start(Way{{0}}, 250_B, 1, 0_ps);
  transfers.update(0_ps);
  transfers.start(Way{{0}}, 125_B, 1, 1_us);
  transfers.update(1_us);
  EXPECT_EQ(transfers.next_end(), 3_us);
  transfers.set_capacity(0, 2_Gbps);
  transfers.update(2_us);
  EXPECT_EQ(transfers.next_end(), 2500_ns);
}

TEST(Transfers, AMovedTransferGoesOnElsewhereWithWhatIsLeft) {
  Transfers transfers(links_of(2, 1_Gbps));
  const int first = transfers.start(Way{{0}}, 500_B, 1, 0_ps);
  transfers.update(0_ps);
  const int moved = transfers.move(first, Way{{1}}, 1, 1_us);
  transfers.update(1_us);
  EXPECT_EQ(transfers.next(), moved);
  EXPECT_EQ(transfers.next_end(), 4_us);
  transfers.stop(moved, 4_us);
  EXPECT_EQ(transfers.carried(0), 125_B);
  EXPECT_EQ(transfers.carried(1), 375_B);
}

TEST(Transfers, WithoutARateNothingMovesAndNothingEnds) {
  Transfers transfers(links_of(1, 1_Gbps));
  transfers.start(Way{{0}}, 1_B, 1, 0_ps);
  transfers.update(0_ps);
  EXPECT_TRUE(transfers.moving());
  transfers.set_capacity(0, {0});
  transfers.update(1_ps);
  EXPECT_FALSE(transfers.moving());
  EXPECT_EQ(transfers.next_end(), kForever);
}

// A little more than half of the flow takes this slow link: its rate is rounded by a part in two
// million.
TEST(Transfers, WhereTheRateIsRoundedEveryByteIsCountedAllTheSame) {
  constexpr std::uint32_t kShare = kWhole / 2 + 1;
  for (std::int64_t size = 1; size <= 5'000; ++size) {
    Transfers transfers(links_of(1, 1000_bps));
    transfers.start(Way{{0, kShare}}, {size}, 1, 0_ps);
    transfers.update(0_ps);
    transfers.stop(transfers.next(), transfers.next_end());
    ASSERT_EQ(transfers.carried(0), Bytes{size * kShare / kWhole}) << size << " B";
  }
}

TEST(Transfers, WhereTheRateIsRoundedATransferEndsNoEarlierThanTheHighestPossibleRateAllows) {
  Transfers transfers(links_of(1, 1000_bps));
  transfers.start(Way{{0, kWhole / 2 + 1}}, 1050_B, 1, 0_ps);
  transfers.update(0_ps);
  const Rate& rate = transfers.sharing().rate(transfers.next());
  ASSERT_EQ(rate.denominator, 1);
  EXPECT_EQ(transfers.next_end(), time_for(work_of(1050_B), {rate.numerator + rate.error, 1, 0}));
}

}  // namespace
}  // namespace loom
