#include "loom/simulate/link_clock.h"

#include <gtest/gtest.h>

#include "loom/base/random.h"

namespace loom::simulate {
namespace {

LinkClock clock_at(const transport::Level& level, Int128 mark) {
  LinkClock clock;
  clock.set_level(level);
  clock.set_first(mark);
  return clock;
}

TEST(LinkClock, AMarkIsReachedInTheFirstPicosecondInWhichNothingIsLeft) {
  EXPECT_EQ(clock_at({.floor = 3}, 9).next_end(), TimePoint(3_ps));
  EXPECT_EQ(clock_at({.floor = 3}, 10).next_end(), TimePoint(4_ps));
  EXPECT_EQ(clock_at({.floor = 3, .rest = 1, .weight = 3}, 10).next_end(), TimePoint(3_ps));
  EXPECT_EQ(clock_at({.floor = 3, .rest = 1, .weight = 3}, 11).next_end(), TimePoint(4_ps));
}

TEST(LinkClock, WithoutALevelItStandsStill) {
  LinkClock clock = clock_at({}, 1);
  EXPECT_FALSE(clock.runs());
  EXPECT_EQ(clock.next_end(), kNever);
  clock.advance(TimePoint(1_ms));
  EXPECT_FALSE(clock.due());
}

TEST(LinkClock, TheMarkIsDueAtItsEndAndNotBeforeAndTheBoundIsNoLater) {
  Random random = random_stream(37);
  for (int number = 0; number < 20'000; ++number) {
    const std::int64_t weight = 1 + random(1000);
    const transport::Level level{.floor = std::int64_t{random()} << random(28),
                                 .rest = random(static_cast<std::uint32_t>(weight)),
                                 .weight = weight,
                                 .error = random(3)};
    if (level.charge() == 0) continue;
    const LinkClock clock = clock_at(level, Int128{1 + random()} << random(60));
    const TimePoint end = clock.next_end();
    ASSERT_LE(clock.next_end_at_soonest().at, end) << "case " << number;
    if (end == kNever) continue;
    LinkClock there = clock;
    there.advance(end);
    ASSERT_TRUE(there.due()) << "case " << number;
    LinkClock before = clock;
    before.advance(end - 1_ps);
    const Int128 exact = Int128{level.floor + level.error} * (elapsed(end).count() - 1) * weight +
                         Int128{level.rest} * (elapsed(end).count() - 1);
    ASSERT_TRUE(exact < (before.reading() + 1) * weight) << "case " << number;
    ASSERT_TRUE(!before.due() || level.rest > 0) << "case " << number;
  }
}

TEST(LinkClock, ABoundHoldsWhileTheClockStaysWithinItsSpeed) {
  Random random = random_stream(41);
  int held = 0;
  for (int number = 0; number < 5'000; ++number) {
    const std::int64_t floor = 1 + (std::int64_t{random()} << random(20));
    LinkClock clock = clock_at({.floor = floor, .rest = 1, .weight = 3, .error = 0},
                               Int128{1 + random()} << random(60));
    const LinkClock::Bound bound = clock.next_end_at_soonest();
    if (bound.fastest == LinkClock::kNoSpeed || bound.at < TimePoint(64_ps)) continue;
    ++held;
    ASSERT_GE(bound.fastest, floor);
    TimePoint now;
    for (int change = 1; change <= 32; ++change) {
      now = std::min(bound.at - 1_ps, TimePoint(elapsed(bound.at) / 32 * change));
      clock.advance(now);
      ASSERT_FALSE(clock.due()) << "case " << number << ", change " << change;
      const bool full = random(2) == 0;
      const std::int64_t speed = full ? bound.fastest : std::int64_t{random()} % bound.fastest;
      clock.set_level({.floor = speed, .rest = 6, .weight = 7, .error = 0});
    }
    ASSERT_GE(clock.next_end(), bound.at) << "case " << number;
  }
  EXPECT_GT(held, 1'000);
}

}  // namespace
}  // namespace loom::simulate
