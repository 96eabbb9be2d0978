// Time shifts for jobs that share links: CASSINI (NSDI 2024), solved exactly. The entry point is
// best_shifts(); its steps are circle_periods.h, shift_problem.h, shift_search.h, shift_slack.h.
//
// Profiles -> one time shift per job, the score, and an upper bound on the score of any shifts. A
// link's load repeats on a circle, whose perimeter is the least common multiple of its jobs'
// periods; a shift rotates a job on all its links at once. A link's score is 1 minus its mean
// excess demand relative to capacity; the shifts maximize the mean score of the links that several
// jobs use. Excess is piecewise linear in the shifts and minimal where one burst ends as another
// starts, so only such shifts are tried (shifted_jobs.h), not a grid of angles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

struct ShiftSearchOptions {
  std::int64_t nodes = 400'000;       // max search tree nodes; deterministic, unlike `seconds`
  double seconds = 0;                 // time limit of the search; 0: none
  std::int64_t circle_edges = 4'000;  // max edges of a circle; with more, periods are rounded
  double tolerance = 0;               // max relative change of a period, to shorten circles
  bool slack = true;                  // among shifts of equal score, prefer gaps between bursts
};

struct Compatibility {
  double score = 1;                 // mean score of the contended links; 1 if there are none
  double bound = 1;                 // upper bound on the score of any shifts
  std::vector<double> link_scores;  // per link
  std::vector<Duration> shifts;     // per job, in [0, its period)
  bool proved = true;               // the shifts are optimal up to rounding error
  std::vector<Duration> periods;    // periods that the search used: as given, or rounded
  double rounding = 0;              // largest relative change of a period
  std::int64_t nodes = 0;           // search tree nodes used

  double gap() const { return bound - score; }
};

// Searches for the best shifts. A job's rate on a link may exceed the link's capacity.
Compatibility best_shifts(const SharedProfiles& profiles, const ShiftSearchOptions& options = {});

// The score of given shifts, without a search. Periods are rounded as in best_shifts().
Compatibility score_of(const SharedProfiles& profiles, std::span<const Duration> shifts,
                       const ShiftSearchOptions& options = {});

// The profiles with the periods that a search used (Compatibility::periods).
SharedProfiles reckoned(const SharedProfiles& profiles, std::span<const Duration> periods);

// The mean score when each job is early or late by a random time up to the fraction `jitter` of its
// period.
double score_under_jitter(const SharedProfiles& profiles, std::span<const Duration> shifts,
                          double jitter, const ShiftSearchOptions& options = {});

struct RankedPlacement {
  int candidate = 0;  // index in the list of candidates
  Compatibility found;
};

// Ranks the candidate placements of a scheduler by their best score, highest first; ties keep the
// given order. A placement is given as the profiles of its jobs. The result does not depend on the
// number of threads.
std::vector<RankedPlacement> rank_placements(std::span<const SharedProfiles> candidates,
                                             const ShiftSearchOptions& options = {},
                                             int threads = 0);

}  // namespace loom::jobs
