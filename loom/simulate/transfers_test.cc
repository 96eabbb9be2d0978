#include "loom/simulate/transfers.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"

namespace loom::simulate {
namespace {

using Path = std::vector<fabric::Hop>;

// A path over these links.
std::vector<fabric::Hop> over(std::initializer_list<int> links) {
  std::vector<fabric::Hop> path;
  for (const int link : links) path.push_back({LinkId(link)});
  return path;
}

std::vector<fabric::Link> links_of(int count, Bandwidth bandwidth) {
  return std::vector<fabric::Link>(static_cast<std::size_t>(count),
                                   fabric::Link{NodeId(0), NodeId(1), bandwidth});
}

TEST(Transfers, ATransferEndsInTheFirstPicosecondInWhichNothingIsLeft) {
  Transfers transfers(links_of(1, 3_Gbps));
  transfers.start(over({0}), 1_B, 1);
  transfers.update(TimePoint(10_ps));
  EXPECT_EQ(transfers.next_end(), TimePoint(10_ps + 2667_ps));
}

TEST(Transfers, ThreeThatShareALinkEndTogetherToThePicosecond) {
  Transfers transfers(links_of(1, 1_Gbps));
  for (int i = 0; i < 3; ++i) transfers.start(over({0}), 125_B, 1);
  transfers.update(TimePoint(0_ps));
  ASSERT_EQ(transfers.next_end(), TimePoint(3_us));
  const std::vector<FlowId> due = transfers.take_due();
  EXPECT_EQ(due, (std::vector{FlowId(0), FlowId(1), FlowId(2)})) << "the earliest started first";
  for (const FlowId id : due) transfers.stop(id, TimePoint(3_us));
  transfers.update(TimePoint(3_us));
  EXPECT_TRUE(transfers.empty());
  EXPECT_EQ(transfers.next_end(), kNever);
  EXPECT_EQ(transfers.carried(LinkId(0)), 375_B);
}

TEST(Transfers, BytesSentAtAnEarlierRateStaySent) {
  Transfers transfers(links_of(1, 1_Gbps));
  transfers.start(over({0}), 250_B, 1);
  transfers.update(TimePoint(0_ps));
  transfers.start(over({0}), 125_B, 1);
  transfers.update(TimePoint(1_us));
  EXPECT_EQ(transfers.next_end(), TimePoint(3_us));
  transfers.set_capacity(LinkId(0), 2_Gbps, TimePoint(2_us));
  transfers.update(TimePoint(2_us));
  EXPECT_EQ(transfers.next_end(), TimePoint(2500_ns));
}

TEST(Transfers, AReroutedTransferContinuesWithItsRemainder) {
  Transfers transfers(links_of(2, 1_Gbps));
  const FlowId first = transfers.start(over({0}), 500_B, 1);
  transfers.update(TimePoint(0_ps));
  const FlowId moved = transfers.move(first, over({1}), 1, TimePoint(1_us));
  transfers.update(TimePoint(1_us));
  EXPECT_EQ(transfers.next_end(), TimePoint(4_us));
  EXPECT_EQ(transfers.take_due(), std::vector{moved});
  transfers.stop(moved, TimePoint(4_us));
  EXPECT_EQ(transfers.carried(LinkId(0)), 125_B);
  EXPECT_EQ(transfers.carried(LinkId(1)), 375_B);
}

TEST(Transfers, WithoutARateNothingMovesAndNothingEnds) {
  Transfers transfers(links_of(1, 1_Gbps));
  transfers.start(over({0}), 1_B, 1);
  transfers.update(TimePoint(0_ps));
  EXPECT_TRUE(transfers.moving());
  transfers.set_capacity(LinkId(0), {0}, TimePoint(1_ps));
  transfers.update(TimePoint(1_ps));
  EXPECT_FALSE(transfers.moving());
  EXPECT_EQ(transfers.next_end(), kNever);
}

// A little more than half of the flow takes this slow link: its rate is rounded by one part in two
// million.
TEST(Transfers, EveryByteIsCountedEvenIfTheRateIsRounded) {
  constexpr std::uint32_t kShare = fabric::kWhole / 2 + 1;
  for (std::int64_t size = 1; size <= 5'000; ++size) {
    Transfers transfers(links_of(1, 1000_bps));
    transfers.start(Path{{LinkId(0), kShare}}, {size}, 1);
    transfers.update(TimePoint(0_ps));
    const TimePoint end = transfers.next_end();
    transfers.stop(transfers.take_due().front(), end);
    ASSERT_EQ(transfers.carried(LinkId(0)), Bytes{size * kShare / fabric::kWhole}) << size << " B";
  }
}

TEST(Transfers, ATransferEndsToThePicosecondEvenIfTheRateIsRounded) {
  Transfers transfers(links_of(1, 1000_bps));
  const FlowId id = transfers.start(Path{{LinkId(0), fabric::kWhole / 2 + 1}}, 1050_B, 1);
  transfers.update(TimePoint(0_ps));
  ASSERT_EQ(transfers.sharing().rate(id).denominator, 1);
  const Int128 picobits = Int128{1050} * 8 * 1'000'000'000'000;
  const Int128 end =
      (picobits / 1000 * (fabric::kWhole / 2 + 1) + fabric::kWhole - 1) / fabric::kWhole;
  EXPECT_EQ(elapsed(transfers.next_end()).count(), static_cast<std::int64_t>(end));
}

TEST(Transfers, ALinkThatBecomesMuchFasterThanAnyBeforeLeavesOthersUnchanged) {
  std::vector<fabric::Link> links = links_of(2, 1_Gbps);
  links[1].bandwidth = {0};
  Transfers transfers(links);
  const FlowId slow = transfers.start(over({0}), 125_B, 1);
  const FlowId blocked = transfers.start(over({1}), 1_GB, 1);
  transfers.update(TimePoint(0_ps));
  EXPECT_EQ(transfers.next_end(), TimePoint(1_us));
  transfers.set_capacity(LinkId(1), {4'000'000'000'000'000'000}, TimePoint(500_ns));
  transfers.update(TimePoint(500_ns));
  EXPECT_EQ(transfers.next_end(), TimePoint(502_ns));
  EXPECT_EQ(transfers.take_due(), std::vector{blocked});
  transfers.stop(blocked, TimePoint(502_ns));
  transfers.update(TimePoint(502_ns));
  EXPECT_EQ(transfers.next_end(), TimePoint(1_us));
  EXPECT_EQ(transfers.take_due(), std::vector{slow});
}

TEST(Transfers, AHeavyTransferThatMovesToAnotherBottleneckKeepsItsRemainder) {
  Transfers transfers(std::vector<fabric::Link>{{NodeId(0), NodeId(1), 1_Gbps},
                                                {NodeId(1), NodeId(2), 3_Gbps},
                                                {NodeId(1), NodeId(2), 3_Gbps}});
  const FlowId heavy =
      transfers.start(Path{{LinkId(0)}, {LinkId(1)}, {LinkId(2), fabric::kWhole / 2}}, 375_B, 7);
  transfers.update(TimePoint(0_ps));
  EXPECT_EQ(transfers.sharing().bottleneck(heavy), 0);
  transfers.set_capacity(LinkId(1), {500'000'000}, TimePoint(1_us));
  transfers.update(TimePoint(1_us));
  EXPECT_EQ(transfers.sharing().bottleneck(heavy), 1);
  EXPECT_EQ(transfers.next_end(), TimePoint(5_us));
}

TEST(Transfers, ATransferThatEndsAsItsLinkGoesDownHasEnded) {
  Transfers transfers(links_of(1, 1_Gbps));
  const FlowId id = transfers.start(over({0}), 125_B, 1);
  transfers.update(TimePoint(0_ps));
  transfers.set_capacity(LinkId(0), {0}, TimePoint(1_us));
  ASSERT_EQ(transfers.next_end(), TimePoint(1_us));
  EXPECT_EQ(transfers.take_due(), std::vector{id});
}

TEST(Transfers, AnUncontendedTransferLoadsItsLinksAtItsBottleneckBandwidth) {
  Transfers transfers(
      std::vector<fabric::Link>{{NodeId(0), NodeId(1), 1_Gbps}, {NodeId(1), NodeId(2), 3_Gbps}});
  const FlowId id = transfers.start(over({0, 1}), 125_B, 1);
  transfers.update(TimePoint(0_ps));
  EXPECT_EQ(transfers.filled_links(), (std::vector{LinkId(0), LinkId(1)}));
  EXPECT_EQ(transfers.load(LinkId(1)), transport::counts_of(1_Gbps));
  EXPECT_EQ(transfers.left(id, TimePoint(500_ns)), 63_B);
  transfers.update(TimePoint(500_ns));
  EXPECT_TRUE(transfers.filled_links().empty());
  transfers.stop(id, TimePoint(500_ns));
  transfers.update(TimePoint(500_ns));
  EXPECT_EQ(transfers.filled_links(), (std::vector{LinkId(0), LinkId(1)}));
  EXPECT_EQ(transfers.load(LinkId(1)), 0);
}

// End times, in order, of the transfers of a random history, all of this weight. If `shared`, half
// of every transfer also crosses a fast link, so that all go through max-min sharing and get the
// same rates.
std::vector<TimePoint> ends_of_history(std::uint64_t seed, int weight, bool shared) {
  Random random = random_stream(seed);
  const int count = 2 + static_cast<int>(random(6));
  std::vector<fabric::Link> links = links_of(count, 1_Gbps);
  links.push_back({NodeId(0), NodeId(1), 1000_Gbps});
  Transfers transfers(links);
  std::vector<TimePoint> ends;
  TimePoint now;
  const auto until = [&](TimePoint time_point) {
    while (transfers.next_end() <= time_point) {
      const TimePoint end = transfers.next_end();
      const std::vector<FlowId> due = transfers.take_due();
      for (const FlowId id : due) transfers.stop(id, end);
      ends.insert(ends.end(), due.size(), end);
      transfers.update(end);
    }
  };
  for (int event = 0; event < 40; ++event) {
    now += Duration(static_cast<std::int64_t>(random(1'000'000)));
    until(now);
    const LinkId link(random(static_cast<std::uint32_t>(count)));
    const int next =
        (link + 1 + static_cast<int>(random(static_cast<std::uint32_t>(count - 1)))) % count;
    if (random(4) == 0) {
      transfers.set_capacity(link, {static_cast<std::int64_t>(random(4)) * 500'000'000}, now);
    } else {
      Path path = random(2) == 0 ? over({link}) : over({link, next});
      if (shared) path.push_back({LinkId(count), fabric::kWhole / 2});
      transfers.start(path, {1 + static_cast<std::int64_t>(random(200))}, weight);
    }
    transfers.update(now);
  }
  for (LinkId link(0); link < count; ++link) transfers.set_capacity(link, 1_Gbps, now);
  transfers.update(now);
  until(kNever - 1_ps);
  EXPECT_TRUE(transfers.empty());
  return ends;
}

TEST(Transfers, UncontendedTransfersEndAsTheyWouldUnderSharing) {
  for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
    const int weight = seed % 2 == 0 ? 1 : 5;
    const std::vector<TimePoint> quick = ends_of_history(seed, weight, false);
    const std::vector<TimePoint> shared = ends_of_history(seed, weight, true);
    ASSERT_EQ(quick.size(), shared.size()) << "seed " << seed;
    for (std::size_t i = 0; i < quick.size(); ++i) {
      ASSERT_NEAR(static_cast<double>(elapsed(quick[i]).count()),
                  static_cast<double>(elapsed(shared[i]).count()), 1)
          << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace loom::simulate
