#include "loom/jobs/cassini/drifting_score.h"

#include <gtest/gtest.h>

#include "loom/jobs/cassini/time_shifts_testing.h"

namespace loom::jobs {
namespace {

TEST(DriftingScore, EqualsTheScoreIfPeriodsAreNotRounded) {
  Random random = random_stream(21);
  for (int round = 0; round < 300; ++round) {
    const int jobs = 2 + static_cast<int>(random(3));
    const SharedProfiles profiles =
        random_profiles(random, jobs, 1 + static_cast<int>(random(3)), 12, 1_ms);
    std::vector<Duration> shifts;
    for (const JobProfile& it : profiles.jobs) {
      shifts.emplace_back(1'000'000'000 * std::int64_t{random(20)} % it.period().count());
    }
    EXPECT_NEAR(drifting_score(profiles, shifts), score_of(profiles, shifts).score, 1e-9) << round;
  }
}

// Coprime periods overlap at all phases equally often, as if the jobs were independent.
TEST(DriftingScore, CoprimePeriodsMakeShiftsIrrelevant) {
  const SharedProfiles profiles =
      on_links(1, {burst_job(100, 30), burst_job(103, 30), burst_job(107, 30)});
  const double a = 0.30;
  const double b = 30.0 / 103;
  const double c = 30.0 / 107;
  const double nobody = (1 - a) * (1 - b) * (1 - c);
  const double score = 1 - (a + b + c - 1 + nobody);
  for (const std::int64_t late : {0, 30, 47}) {
    const std::vector<Duration> shifts{0_ms, late * 1_ms, 2 * late * 1_ms};
    EXPECT_NEAR(drifting_score(profiles, shifts), score, 1e-9) << late;
    // The circle has 62,000 edges; a sixth of it gives nearly the same score.
    EXPECT_NEAR(drifting_score(profiles, shifts, 10'000), score, 0.02) << late;
  }
}

}  // namespace
}  // namespace loom::jobs
