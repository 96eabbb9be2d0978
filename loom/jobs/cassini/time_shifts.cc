#include "loom/jobs/cassini/time_shifts.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "loom/base/error.h"
#include "loom/base/parallel.h"
#include "loom/jobs/cassini/circle_periods.h"
#include "loom/jobs/cassini/shift_search.h"
#include "loom/jobs/cassini/shift_slack.h"

namespace loom::jobs {
namespace {

SearchBudget budget_of(const ShiftSearchOptions& options) {
  SearchBudget budget;
  budget.nodes = std::max<std::int64_t>(options.nodes, 1);
  if (options.seconds > 0) {
    budget.end = std::chrono::steady_clock::now() +
                 std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                     std::chrono::duration<double>(options.seconds));
  }
  return budget;
}

// The result without any demand: every link has score 1.
Compatibility unshifted(const SharedProfiles& rounded, const SharedProfiles& given) {
  Compatibility found;
  found.link_scores.assign(given.links.size(), 1);
  found.shifts.assign(given.jobs.size(), Duration(0));
  for (std::size_t j = 0; j < given.jobs.size(); ++j) {
    const Duration was = given.jobs[j].period();
    found.periods.push_back(rounded.jobs[j].period());
    const auto change = static_cast<double>((found.periods[j] - was).count());
    found.rounding = std::max(found.rounding, std::abs(change) / static_cast<double>(was.count()));
  }
  return found;
}

// Records shifts, relative to the shift of the problem's first job, and the resulting scores.
void take(const ShiftProblem& problem, const std::vector<std::int64_t>& shifts,
          Compatibility& found) {
  const std::vector<double> excesses = link_excesses(problem, shifts);
  for (std::size_t l = 0; l < excesses.size(); ++l) {
    for (const int link : problem.links[l].indices) {
      found.link_scores[static_cast<std::size_t>(link)] = 1 - excesses[l];
    }
    found.score -= problem.links[l].weight * excesses[l];
  }
  for (std::size_t j = 0; j < shifts.size(); ++j) {
    const std::int64_t period = problem.jobs[j].period;
    const std::int64_t shift = (shifts[j] - shifts[0]) % period;
    found.shifts[static_cast<std::size_t>(problem.jobs[j].index)] =
        Duration(shift < 0 ? shift + period : shift);
  }
}

std::vector<std::int64_t> shifts_in(const ShiftProblem& problem, std::span<const Duration> shifts) {
  std::vector<std::int64_t> own;
  for (const ShiftProblem::Job& job : problem.jobs) {
    own.push_back(shifts[static_cast<std::size_t>(job.index)].count() % job.period);
  }
  return own;
}

void check(const SharedProfiles& profiles) {
  for (const JobProfile& it : profiles.jobs) {
    LOOM_CHECK(it.period().count() > 0 && it.period() <= kLongestPeriod,
               "an iteration takes more than 0 and at most an hour");
  }
}

}  // namespace

Compatibility best_shifts(const SharedProfiles& profiles, const ShiftSearchOptions& options) {
  check(profiles);
  const SharedProfiles rounded =
      with_short_circles(profiles, options.circle_edges, options.tolerance);
  Compatibility best = unshifted(rounded, profiles);
  const std::vector<ShiftProblem> problems = shift_problems(rounded);
  SearchBudget budget = budget_of(options);
  const std::int64_t nodes = budget.nodes;
  for (std::size_t p = 0; p < problems.size(); ++p) {
    SearchBudget own = budget;
    own.nodes =
        std::max<std::int64_t>(1, budget.nodes / static_cast<std::int64_t>(problems.size() - p));
    const std::int64_t before = own.nodes;
    FoundShifts found = search_shifts(problems[p], own);
    budget.nodes -= before - own.nodes;
    if (options.slack) found.shifts = with_slack(problems[p], found, budget.end);
    best.bound -= found.min_excess;
    take(problems[p], found.shifts, best);
  }
  best.nodes = nodes - budget.nodes;
  best.proved = best.bound <= best.score + 2 * kSameExcess;
  best.bound = best.proved ? best.score : best.bound;
  return best;
}

Compatibility score_of(const SharedProfiles& profiles, std::span<const Duration> shifts,
                       const ShiftSearchOptions& options) {
  check(profiles);
  LOOM_CHECK(shifts.size() == profiles.jobs.size(), "every job has a shift");
  const SharedProfiles rounded =
      with_short_circles(profiles, options.circle_edges, options.tolerance);
  Compatibility found = unshifted(rounded, profiles);
  for (const ShiftProblem& problem : shift_problems(rounded)) {
    take(problem, shifts_in(problem, shifts), found);
  }
  found.shifts.assign(shifts.begin(), shifts.end());
  found.proved = false;
  return found;
}

SharedProfiles reckoned(const SharedProfiles& profiles, std::span<const Duration> periods) {
  SharedProfiles changed = profiles;
  for (std::size_t j = 0; j < periods.size(); ++j) {
    if (profiles.jobs[j].period() == periods[j]) continue;
    changed.jobs[j] = with_period(profiles.jobs[j], periods[j]);
  }
  return changed;
}

double score_under_jitter(const SharedProfiles& profiles, std::span<const Duration> shifts,
                          double jitter, const ShiftSearchOptions& options) {
  check(profiles);
  const SharedProfiles rounded =
      with_short_circles(profiles, options.circle_edges, options.tolerance);
  double score = 1;
  for (const ShiftProblem& problem : shift_problems(rounded)) {
    score -= excess_under_jitter(problem, shifts_in(problem, shifts), jitter);
  }
  return score;
}

std::vector<RankedPlacement> rank_placements(std::span<const SharedProfiles> candidates,
                                             const ShiftSearchOptions& options, int threads) {
  std::vector<RankedPlacement> ranked(candidates.size());
  for_each_index(candidates.size(), threads, [&](std::size_t c) {
    ranked[c] = {static_cast<int>(c), best_shifts(candidates[c], options)};
  });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const RankedPlacement& a, const RankedPlacement& b) {
                     return a.found.score > b.found.score + kSameExcess;
                   });
  return ranked;
}

}  // namespace loom::jobs
