#include "loom/base/shift_agent.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "loom/base/random.h"

namespace loom {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Agent = ShiftAgent<Clock>;
using Time = Agent::Time;

constexpr Time kEpoch = Time(1h);

Agent agent(Clock::duration shift) {
  return Agent({.epoch = kEpoch, .shift = shift, .period = 100ms});
}

TEST(ShiftAgent, DelaysTheFirstCommunicationToItsShift) {
  EXPECT_EQ(agent(40ms).admit(kEpoch), kEpoch + 40ms);
  EXPECT_EQ(agent(40ms).admit(kEpoch - 70ms), kEpoch + 40ms);
  EXPECT_EQ(agent(40ms).admit(kEpoch + 41ms), kEpoch + 140ms);
  EXPECT_EQ(agent(0ms).admit(kEpoch), kEpoch);
}

TEST(ShiftAgent, DoesNotDelayAJobThatKeepsItsPeriod) {
  Agent it = agent(40ms);
  Time begin = it.admit(kEpoch);
  for (int i = 0; i < 1000; ++i) {
    const Time ready = begin + 100ms;
    begin = it.admit(ready);
    EXPECT_EQ(begin, ready);
  }
  EXPECT_EQ(it.realigned(), 0);
}

TEST(ShiftAgent, AllowsADriftOfFivePercentOfThePeriodInBothDirections) {
  for (const auto drift : {-5ms, 5ms}) {
    Agent it = agent(0ms);
    it.admit(kEpoch);
    EXPECT_EQ(it.admit(kEpoch + 100ms + drift), kEpoch + 100ms + drift);
  }
}

TEST(ShiftAgent, HoldsADriftedJobUntilItsNextTimePoint) {
  for (const auto drift : {-6ms, -40ms, 6ms, 40ms}) {
    Agent it = agent(0ms);
    it.admit(kEpoch);
    EXPECT_EQ(it.admit(kEpoch + 200ms + drift), kEpoch + (drift < 0ms ? 200ms : 300ms));
    EXPECT_EQ(it.realigned(), 1);
  }
}

// Two jobs whose own periods deviate from the agreed one by noise, each communicating for half of
// it.
TEST(ShiftAgent, KeepsDriftingJobsApart) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random = random_stream(seed);
    Agent first = agent(0ms);
    Agent second = agent(50ms);
    Time a = first.admit(kEpoch);
    Time b = second.admit(kEpoch);
    for (int i = 0; i < 200; ++i) {
      // A job's iteration takes 96 to 100 ms without waiting.
      a = first.admit(a + 96ms + std::chrono::microseconds(random(4000)));
      b = second.admit(b + 96ms + std::chrono::microseconds(random(4000)));
      const auto apart = ((b - a) % 100ms + 100ms) % 100ms;
      EXPECT_GE(std::min<Clock::duration>(apart, 100ms - apart), 40ms) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace loom
