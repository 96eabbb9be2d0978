// The time-shift search against exhaustive search.
//
// Stages last an integer number of slots, so that some optimum in continuous time lies on the slot
// grid and enumerating the grid gives the best score. Some instances have loops of links.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "loom/jobs/cassini/time_shifts_testing.h"

namespace loom {
namespace {

double best_of_all(const jobs::SharedProfiles& profiles, Duration slot) {
  std::vector<std::int64_t> shifts(profiles.jobs.size(), 0);
  double best = -std::numeric_limits<double>::max();
  const std::function<void(std::size_t)> rotate = [&](std::size_t job) {
    if (job == shifts.size()) {
      best = std::max(best, slow_score(profiles, shifts, slot));
      return;
    }
    const std::int64_t period = profiles.jobs[job].period() / slot;
    for (shifts[job] = 0; shifts[job] < period; ++shifts[job]) rotate(job + 1);
    shifts[job] = 0;
  };
  rotate(1);  // only relative shifts matter
  return best;
}

TEST(CompatibleAgrees, WithExhaustiveSearchOn1500RandomInstances) {
  // Not a round number: nothing may depend on the length of a slot.
  const Duration slot(7'000'001);
  int perfect = 0;
  int none = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random = random_stream(seed, 1);
    const int jobs = 2 + static_cast<int>(random(3));
    const int links = 1 + static_cast<int>(random(4));
    const jobs::SharedProfiles profiles =
        jobs::random_profiles(random, jobs, links, jobs == 4 ? 7 : 10, slot);
    const jobs::Compatibility found = best_shifts(profiles);
    ASSERT_TRUE(found.proved) << seed;
    ASSERT_NEAR(found.score, best_of_all(profiles, slot), 1e-8) << seed;
    ASSERT_NEAR(found.score, score_of(profiles, found.shifts).score, 1e-12) << seed;
    ++(found.score > 1 - 1e-9 ? perfect : none);
  }
  EXPECT_GT(perfect, 100);
  EXPECT_GT(none, 400);
}

TEST(CompatibleAgrees, WithScoresComputedSlotBySlot) {
  const Duration slot(3'000'000);
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    Random random = random_stream(seed, 2);
    const jobs::SharedProfiles profiles = jobs::random_profiles(random, 5, 3, 12, slot);
    std::vector<std::int64_t> shifts;
    std::vector<Duration> times;
    for (const jobs::JobProfile& job : profiles.jobs) {
      shifts.push_back(random(static_cast<std::uint32_t>(job.period() / slot)));
      times.push_back(slot * shifts.back());
    }
    jobs::ShiftSearchOptions options;
    options.circle_edges = 1 << 30;  // no period is rounded
    ASSERT_NEAR(score_of(profiles, times, options).score, slow_score(profiles, shifts, slot), 1e-10)
        << seed;
  }
}

}  // namespace
}  // namespace loom
