#include "loom/jobs/cassini/shift_slack.h"

#include <algorithm>
#include <cmath>

#include "loom/base/random.h"
#include "loom/jobs/cassini/shifted_jobs.h"

namespace loom::jobs {
namespace {

constexpr int kTrials = 32;  // error of 0.1 % of the score, measured with a dozen jobs
constexpr int kRounds = 4;

// The middle of the interval of optimal shifts around `shift`; `shift` itself if it is not optimal
// or if all shifts are optimal.
std::int64_t middle(const ShiftCandidates& candidates, std::int64_t shift) {
  const std::size_t count = candidates.candidates.size();
  const auto by_shift = [](const ShiftCandidates::Candidate& a, std::int64_t b) {
    return a.shift < b;
  };
  const std::int64_t here = shift % candidates.range;
  const auto found =
      std::lower_bound(candidates.candidates.begin(), candidates.candidates.end(), here, by_shift);
  const auto at = static_cast<std::size_t>(found - candidates.candidates.begin());
  const auto as_good = [&](std::size_t t) {
    return candidates.candidates[t % count].added <= candidates.min_excess + kSameExcess;
  };
  // The added excess is linear between kinks: every shift between two adjacent optimal kinks is
  // optimal, and an optimal shift that is not at a kink lies between two such kinks.
  std::size_t before = at < count && candidates.candidates[at].shift == here ? at : at + count - 1;
  std::size_t after = at;
  if (!as_good(before) || !as_good(after)) return shift;
  std::size_t steps = 0;
  for (; steps < count && as_good(before + count - 1); ++steps) before += count - 1;
  if (steps == count) return shift;  // all shifts are equally good
  while (as_good(after + 1)) ++after;
  const std::int64_t from = candidates.candidates[before % count].shift;
  std::int64_t width = candidates.candidates[after % count].shift - from;
  if (width < 0) width += candidates.range;
  return (from + width / 2) % candidates.range;
}

std::vector<std::int64_t> centered(const ShiftProblem& problem, std::vector<std::int64_t> shifts,
                                   Deadline end) {
  const int count = static_cast<int>(shifts.size());
  for (int round = 0; round < kRounds; ++round) {
    for (int job = 0; job < count; ++job) {
      if (std::chrono::steady_clock::now() >= end) return shifts;
      const ShiftCandidates candidates =
          shift_candidates(neighbors_of(problem, job, shifts), job, Kinks::all);
      if (candidates.candidates.empty()) continue;
      std::int64_t& own = shifts[static_cast<std::size_t>(job)];
      own = middle(candidates, own);
    }
  }
  return shifts;
}

}  // namespace

double excess_under_jitter(const ShiftProblem& problem, std::span<const std::int64_t> shifts,
                           double jitter) {
  Random random = random_stream(problem.jobs.size(), 5);
  constexpr std::uint32_t kSteps = 1U << 16;
  double sum = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<std::int64_t> off(shifts.begin(), shifts.end());
    for (std::size_t j = 0; j < off.size(); ++j) {
      const auto period = static_cast<double>(problem.jobs[j].period);
      const double by = 2.0 * random(kSteps + 1) / kSteps - 1;
      off[j] += std::llround(by * jitter * period);
      off[j] = (off[j] + problem.jobs[j].period) % problem.jobs[j].period;
    }
    sum += weighted_excess(problem, off);
  }
  return sum / kTrials;
}

std::vector<std::int64_t> with_slack(const ShiftProblem& problem, const FoundShifts& found,
                                     Deadline end) {
  std::vector<std::int64_t> best = found.shifts;
  double min_excess = excess_under_jitter(problem, best, kDrift);
  const auto consider = [&](const std::vector<std::int64_t>& from) {
    if (std::chrono::steady_clock::now() >= end) return;
    std::vector<std::int64_t> shifts = centered(problem, from, end);
    if (weighted_excess(problem, shifts) > found.excess + kSameExcess) return;
    const double jittered = excess_under_jitter(problem, shifts, kDrift);
    if (jittered >= min_excess - kSameExcess) return;
    min_excess = jittered;
    best = std::move(shifts);
  };
  consider(found.shifts);
  for (const std::vector<std::int64_t>& it : found.others) consider(it);
  return best;
}

}  // namespace loom::jobs
