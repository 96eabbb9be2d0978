// When jobs that share links may talk: CASSINI (NSDI 2024), exactly.
//
// Roll each job's iteration around a circle. On a link the circles of its jobs are laid on one
// whose perimeter is the least common multiple of their periods; where their rates add up to more
// than the link carries there is excess, and the score of the link is 1 less the mean excess in
// units of the link. Delaying the first iteration of a job turns its circle on every link at once,
// so there is one shift for each job, and shifts are chosen for all links together.
//
// A choice is the best if it makes the mean score of the contended links, those of two jobs or
// more, the largest. Excess changes linearly with shifts until the end of one burst meets the
// beginning of another, so such meetings are all that is tried (job_turns.h); there is no grid
// of angles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom {

struct ShiftSearchOptions {
  std::int64_t nodes = 400'000;       // of the search tree at most: the same answer everywhere
  double seconds = 0;                 // if above 0 the search also ends after so long
  std::int64_t circle_edges = 4'000;  // of a link's circle at most, or periods are rounded
  double tolerance = 0;               // periods may change by this part if circles then are shorter
  bool slack = true;                  // among equal scores, prefer room between bursts
};

struct Compatibility {
  double score = 1;                 // mean over contended links; 1 where there are none
  double bound = 1;                 // no shifts have a better score
  std::vector<double> link_scores;  // of every link
  std::vector<Duration> shifts;     // of every job, in [0, its period)
  bool proved = true;               // that no shifts are better, but for the last digits
  std::vector<Duration> periods;    // that were reckoned with: those given, or rounded ones
  double rounding = 0;              // the largest change of a period, as a part of it
  std::int64_t nodes = 0;           // that were made

  double gap() const { return bound - score; }
};

// The best shifts that were found. Rates on a link are not checked against its capacity.
Compatibility best_shifts(const SharedProfiles& profiles, const ShiftSearchOptions& options = {});

// What these shifts give, with nothing searched for. Periods are taken, or rounded, as above.
Compatibility score_of(const SharedProfiles& profiles, std::span<const Duration> shifts,
                       const ShiftSearchOptions& options = {});

// The profiles with the periods that a search reckoned with.
SharedProfiles reckoned(const SharedProfiles& profiles, std::span<const Duration> periods);

// The mean score where every job is early or late by up to that part of its period, by chance.
double score_under_jitter(const SharedProfiles& profiles, std::span<const Duration> shifts,
                          double jitter, const ShiftSearchOptions& options = {});

// The candidates of a scheduler, each what one placement would have its jobs ask of links: best
// mean score first, equal ones in the order given. Any number of threads gives the same.
struct RankedPlacement {
  int candidate = 0;
  Compatibility found;
};
std::vector<RankedPlacement> rank_placements(std::span<const SharedProfiles> candidates,
                                             const ShiftSearchOptions& options = {},
                                             int threads = 0);

}  // namespace loom
