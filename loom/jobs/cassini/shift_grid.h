// Shifts on a grid of angles, as CASSINI's own optimizer has them: to compare with.
//
// The circle of all jobs that meet is cut into so many angles, each job's demand is read once at
// each, and jobs turn by whole angles. What lies between two angles is not seen, so the score that
// the grid believes in is not quite what its shifts give.
#pragma once

#include "loom/jobs/cassini/compatible.h"

namespace loom {

inline constexpr int kMinAngles = 2;
inline constexpr int kMaxAngles = 100'000;

struct GridShifts {
  double score = 1;  // as the grid sees it
  bool proved = true;
  Compatibility found;  // the shifts, and what they give in continuous time
};

// By branch and bound, job by job: the best on the grid where the nodes suffice. Periods are
// rounded as in best_shifts. LimitError where all periods together do not come round in 63 bits.
GridShifts best_shifts_on_grid(const SharedProfiles& profiles, int angles,
                               const ShiftSearchOptions& options = {});

}  // namespace loom
