#include "loom/jobs/cassini/time_shifts.h"

#include <gtest/gtest.h>

#include "loom/jobs/cassini/circle_periods.h"
#include "loom/jobs/cassini/period_padding.h"
#include "loom/jobs/cassini/shift_grid.h"
#include "loom/jobs/cassini/time_shifts_testing.h"

namespace loom::jobs {
namespace {

constexpr Duration kSlot = std::chrono::milliseconds(1);

TEST(Compatible, TwoBurstsFitExactlyIfTheirSumIsAtMostTheGcdOfTheirPeriods) {
  int compatible = 0;
  int not_compatible = 0;
  for (std::int64_t t1 = 1; t1 <= 14; ++t1) {
    for (std::int64_t t2 = t1; t2 <= 14; ++t2) {
      for (std::int64_t m1 = 1; m1 <= t1; ++m1) {
        for (std::int64_t m2 = 1; m2 <= t2; ++m2) {
          const Compatibility found =
              best_shifts(on_links(1, {burst_job(t1, m1), burst_job(t2, m2)}));
          const bool fits = m1 + m2 <= std::gcd(t1, t2);
          ASSERT_EQ(found.score > 1 - 1e-9, fits) << t1 << " " << m1 << ", " << t2 << " " << m2;
          ASSERT_TRUE(found.proved) << t1 << " " << m1 << ", " << t2 << " " << m2;
          ++(fits ? compatible : not_compatible);
        }
      }
    }
  }
  EXPECT_GT(compatible, 500);
  EXPECT_GT(not_compatible, 5000);
}

// The worked example of the talk: 40 ms and 60 ms on a circle of 120 ms.
TEST(Compatible, JobsOf40And60MillisecondsShareACircleOf120) {
  const SharedProfiles profiles = on_links(1, {burst_job(40, 10), burst_job(60, 10)});
  const std::vector<Duration> together(2, Duration(0));
  // Both end at 0 and overlap for 10 ms of the 120.
  EXPECT_DOUBLE_EQ(score_of(profiles, together).score, 1 - 10.0 / 120);
  const Compatibility found = best_shifts(profiles);
  EXPECT_DOUBLE_EQ(found.score, 1);
  EXPECT_TRUE(found.proved);
  EXPECT_EQ(found.shifts, (std::vector<Duration>{Duration(0), 10_ms}));
}

TEST(Compatible, AShiftOfOneJobMovesItOnEveryLink) {
  // On the first link b must go after a, on the second c after b, on the third a after c: together
  // they fill the iteration, so a loop of links is no obstacle.
  const SharedProfiles profiles = on_links(
      3,
      {burst_job(12, 4, 10, {0, 2}), burst_job(12, 4, 10, {0, 1}), burst_job(12, 4, 10, {1, 2})});
  const Compatibility found = best_shifts(profiles);
  EXPECT_DOUBLE_EQ(found.score, 1);
  EXPECT_EQ(found.link_scores, (std::vector<double>{1, 1, 1}));
  EXPECT_DOUBLE_EQ(score_of(profiles, found.shifts).score, 1);
}

TEST(Compatible, DemandBeyondALinksCapacityIsExcessAndProvedOptimal) {
  const Compatibility found =
      best_shifts(on_links(1, {burst_job(10, 6), burst_job(10, 6), burst_job(10, 6)}));
  EXPECT_NEAR(found.score, 1 - 0.8, 1e-12);
  EXPECT_TRUE(found.proved);
  EXPECT_EQ(found.bound, found.score);
}

TEST(Compatible, JobsThatShareNoLinkAreNotShifted) {
  const Compatibility found =
      best_shifts(on_links(2, {burst_job(10, 9, 10, {0}), burst_job(7, 6, 10, {1})}));
  EXPECT_EQ(found.score, 1);
  EXPECT_EQ(found.nodes, 0);
  EXPECT_EQ(found.shifts, (std::vector<Duration>(2, Duration(0))));
}

TEST(Compatible, IdenticalLinksEachCountInTheMean) {
  const std::vector<int> both = {0, 1, 2};
  SharedProfiles profiles = on_links(4, {burst_job(10, 6, 10, both), burst_job(10, 6, 10, both)});
  profiles.jobs.push_back(burst_job(10, 3, 4, {3}));
  profiles.jobs.push_back(burst_job(10, 3, 4, {3}));
  const Compatibility found = best_shifts(profiles);
  EXPECT_NEAR(found.score, 1 - 3 * 0.2 / 4, 1e-12);
  EXPECT_NEAR(found.link_scores[2], 0.8, 1e-12);
  EXPECT_EQ(found.link_scores[3], 1);
}

TEST(Compatible, ASearchThatEndsEarlyReportsAGapThatContainsTheOptimum) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random = random_stream(seed, 3);
    const SharedProfiles profiles = random_profiles(random, 5, 3, 12, kSlot);
    ShiftSearchOptions few;
    few.nodes = 1;
    const Compatibility early = best_shifts(profiles, few);
    const Compatibility whole = best_shifts(profiles);
    ASSERT_TRUE(whole.proved) << seed;
    EXPECT_LE(early.score, whole.score + 1e-8) << seed;
    EXPECT_GE(early.bound, whole.score - 1e-8) << seed;
    EXPECT_EQ(early.proved, early.gap() == 0) << seed;
  }
}

TEST(Compatible, SlackIsSplitEvenlyOnBothSidesOfABurst) {
  const Compatibility found = best_shifts(on_links(1, {burst_job(100, 20), burst_job(100, 20)}));
  EXPECT_EQ(found.score, 1);
  EXPECT_EQ(found.shifts[1], 50_ms);
  ShiftSearchOptions tight;
  tight.slack = false;
  const SharedProfiles profiles = on_links(1, {burst_job(100, 20), burst_job(100, 20)});
  const Compatibility edge = best_shifts(profiles, tight);
  EXPECT_LT(score_under_jitter(profiles, edge.shifts, 0.05), 1);
  EXPECT_EQ(score_under_jitter(profiles, found.shifts, 0.05), 1);
}

TEST(Compatible, PeriodsWithAHugeCommonMultipleAreRoundedAndTheRoundingIsReported) {
  SharedProfiles profiles = on_links(1, {burst_job(97, 30), burst_job(194, 60)});
  profiles.jobs[0].stages[0].length += Duration(31'000'001);
  profiles.jobs[1].stages[0].length += Duration(58'000'003);
  const Compatibility found = best_shifts(profiles);
  EXPECT_GT(found.rounding, 0);
  EXPECT_LT(found.rounding, 1e-3);
  EXPECT_EQ(found.periods[1] % found.periods[0], Duration(0));
  EXPECT_DOUBLE_EQ(found.score, 1);
  const SharedProfiles changed = reckoned(profiles, found.periods);
  EXPECT_EQ(changed.jobs[0].period(), found.periods[0]);
  EXPECT_EQ(changed.jobs[0].stages[1].length, profiles.jobs[0].stages[1].length);
}

TEST(Compatible, CommensuratePeriodsAreNotRoundedHoweverDifferent) {
  const Compatibility found = best_shifts(on_links(1, {burst_job(10'000, 3'000), burst_job(4, 1)}));
  EXPECT_EQ(found.rounding, 0);
  EXPECT_NEAR(found.score, 1 - 750.0 / 10'000, 1e-12);  // 750 bursts of 1 ms overlap the long one
  EXPECT_TRUE(found.proved);
}

TEST(Compatible, AToleranceMakesNearlyEqualPeriodsCommensurate) {
  const SharedProfiles profiles = on_links(1, {burst_job(100, 30), burst_job(101, 30)});
  EXPECT_LT(best_shifts(profiles).score, 0.95);
  ShiftSearchOptions options;
  options.tolerance = 0.02;
  const Compatibility found = best_shifts(profiles, options);
  EXPECT_EQ(found.score, 1);
  EXPECT_EQ(found.periods[0], found.periods[1]);
  EXPECT_LE(found.rounding, 0.02);
}

TEST(Compatible, APeriodIsChangedInItsComputationOrElseProportionally) {
  EXPECT_EQ(with_period(burst_job(10, 4), 13_ms).stages[0].length, 9_ms);
  EXPECT_EQ(with_period(burst_job(10, 4), 5_ms).stages[0].length, 1_ms);
  EXPECT_EQ(with_period(burst_job(10, 4), 2_ms).period(), 2_ms);
  EXPECT_EQ(with_period(burst_job(4, 4), 6_ms).stages[1].length, 2_ms);
}

TEST(Compatible, PaddingIsSuggestedIfItGainsMoreThanItCosts) {
  const SharedProfiles profiles = on_links(1, {burst_job(100, 30), burst_job(101, 30)});
  const std::vector<PaddedPeriods> worth = padding_worth_its_time(profiles, 0.1);
  ASSERT_EQ(worth.size(), 1U);
  EXPECT_EQ(worth[0].periods, (std::vector<Duration>{101_ms, 101_ms}));
  EXPECT_NEAR(worth[0].idle, 0.005, 1e-12);
  EXPECT_EQ(worth[0].found.score, 1);
  EXPECT_TRUE(padding_worth_its_time(profiles, 0.001).empty());
  EXPECT_TRUE(
      padding_worth_its_time(on_links(1, {burst_job(40, 10), burst_job(60, 10)}), 0.5).empty());
}

// y and z need 103 ms on the second link, which divides no period.
TEST(Compatible, PaddingToWhatALinkNeedsIsSuggested) {
  const SharedProfiles profiles =
      on_links(2, {burst_job(97, 37), burst_job(100, 30, 10, {0, 1}), burst_job(193, 73, 10, {1})});
  const std::vector<PaddedPeriods> worth = padding_worth_its_time(profiles, 0.1);
  ASSERT_FALSE(worth.empty());
  EXPECT_EQ(worth.back().periods, (std::vector<Duration>{103_ms, 103_ms, 206_ms}));
  EXPECT_EQ(worth.back().found.score, 1);
}

TEST(Compatible, AGridAsFineAsTheSlotsIsOptimalAndACoarserOneNoBetter) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Random random = random_stream(seed, 4);
    const SharedProfiles profiles = random_profiles(random, 3, 2, 6, kSlot);
    std::int64_t perimeter = 1;
    for (const JobProfile& it : profiles.jobs) perimeter = std::lcm(perimeter, it.period() / kSlot);
    const double best = best_shifts(profiles).score;
    const GridShifts fine = best_shifts_on_grid(profiles, static_cast<int>(2 * perimeter));
    EXPECT_TRUE(fine.proved);
    EXPECT_NEAR(fine.score, best, 1e-8) << seed;
    EXPECT_NEAR(fine.found.score, best, 1e-8) << seed;
    EXPECT_LE(best_shifts_on_grid(profiles, 7).found.score, best + 1e-8) << seed;
  }
}

TEST(Compatible, CandidatesAreRankedByScoreIndependentlyOfTheThreadCount) {
  std::vector<SharedProfiles> candidates;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random = random_stream(seed, 6);
    candidates.push_back(random_profiles(random, 4, 3, 10, kSlot));
  }
  const std::vector<RankedPlacement> one = rank_placements(candidates, {}, 1);
  const std::vector<RankedPlacement> four = rank_placements(candidates, {}, 4);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].candidate, four[i].candidate);
    EXPECT_EQ(one[i].found.shifts, four[i].found.shifts);
    EXPECT_LE(one[i].found.score, one[i == 0 ? 0 : i - 1].found.score + 1e-9);
  }
}

TEST(Compatible, ADelayRotatesTheCircle) {
  Random random = random_stream(31);
  for (int round = 0; round < 200; ++round) {
    const SharedProfiles profiles = random_profiles(random, 2, 2, 12, 1_ms);
    const Duration by = 1_ms * static_cast<std::int64_t>(random(40));
    SharedProfiles rotated = profiles;
    rotated.jobs[1] = delayed(profiles.jobs[1], by);
    EXPECT_EQ(rotated.jobs[1].period(), profiles.jobs[1].period());
    const std::vector<Duration> none{0_ms, 0_ms};
    const std::vector<Duration> shifted{0_ms, by % profiles.jobs[1].period()};
    EXPECT_NEAR(score_of(rotated, none).score, score_of(profiles, shifted).score, 1e-9) << round;
  }
}

}  // namespace
}  // namespace loom::jobs
