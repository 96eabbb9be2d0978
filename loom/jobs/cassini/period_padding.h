// Pads iterations with a little idle time so that their periods become commensurate.
//
// Jobs with periods of 100 ms and 101 ms pass through all relative phases; 1 % of idle time in the
// first makes their periods equal. Tries many units, pads all periods to multiples of the unit, and
// keeps the paddings that improve the score.
#pragma once

#include <span>
#include <vector>

#include "loom/jobs/cassini/time_shifts.h"

namespace loom::jobs {

struct PaddedPeriods {
  std::vector<Duration> periods;  // padded period per job
  double idle = 0;                // idle time relative to the original period, mean over jobs
  Compatibility found;            // best shifts for these periods
};

// Returns paddings in order of increasing idle time, up to `max_idle`. The score of each is at
// least 0.001 higher than that of the previous one and than the score without padding, which is
// evaluated with the true periods (drifting_score.h) if the search rounded them. Empty if the jobs
// are already compatible. The result does not depend on the number of threads.
std::vector<PaddedPeriods> padding_worth_its_time(const SharedProfiles& profiles, double max_idle,
                                                  const ShiftSearchOptions& options = {},
                                                  int threads = 0);

// The period divided by `divisor`, rounded up to a picosecond.
Duration divided_up(Duration period, std::int64_t divisor);

// Each period rounded up to a multiple of the unit.
std::vector<Duration> multiples_of(Duration unit, std::span<const Duration> periods);

// The added idle time relative to the original period, mean over jobs.
double idle_fraction(std::span<const Duration> longer, std::span<const Duration> periods);

// Returns the profiles with these periods: adds idle time at the end of each iteration.
SharedProfiles padded(const SharedProfiles& profiles, std::span<const Duration> periods);

}  // namespace loom::jobs
