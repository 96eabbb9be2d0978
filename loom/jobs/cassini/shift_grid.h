// Best shifts on a grid of angles, as in CASSINI's own optimizer: a baseline for the exact search.
//
// The common circle of all contending jobs is divided into equal angles, the demand of each job is
// sampled once per angle, and jobs rotate by multiples of an angle. Demand between two samples is
// ignored, so the score on the grid differs slightly from the score of the same shifts in
// continuous time. Not a step of best_shifts() (time_shifts.h), but compared with it.
#pragma once

#include "loom/jobs/cassini/time_shifts.h"

namespace loom::jobs {

inline constexpr int kMinAngles = 2;
inline constexpr int kMaxAngles = 100'000;

struct GridShifts {
  double score = 1;     // score of the samples on the grid
  bool proved = true;   // the shifts are optimal on the grid
  Compatibility found;  // the shifts and their score in continuous time
};

// Branch and bound, job by job: optimal on the grid if the node budget suffices. Periods are
// rounded as in best_shifts(). Throws LimitError if the common multiple of the periods is too long
// for the clock, more than 26 days.
GridShifts best_shifts_on_grid(const SharedProfiles& profiles, int angles,
                               const ShiftSearchOptions& options = {});

}  // namespace loom::jobs
