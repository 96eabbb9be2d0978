// Pads iterations with a little idle time so that their periods become commensurate.
//
// Jobs of 100 ms and 101 ms overlap at every phase sooner or later; 1 % of idle time in the first
// lets them share a link as if their periods were equal. Tries every unit that the periods could be
// multiples of and keeps those whose gain in score justifies the idle time.
#pragma once

#include <span>
#include <vector>

#include "loom/jobs/cassini/compatible.h"

namespace loom::jobs {

struct PaddedPeriods {
  std::vector<Duration> periods;  // per job, none shorter than given
  double idle = 0;                // mean over jobs of idle time relative to the period
  Compatibility found;            // best shifts for these periods
};

// In order of increasing idle time: each scores at least 0.001 higher than the previous ones and
// than no padding at all, evaluated with the original periods if a search would round them. Empty
// if the jobs are already compatible. The result does not depend on the number of threads.
std::vector<PaddedPeriods> padding_worth_its_time(const SharedProfiles& profiles, double max_idle,
                                                  const ShiftSearchOptions& options = {},
                                                  int threads = 0);

// The smallest duration of which `divisor` cover the period.
Duration divided_up(Duration period, std::int64_t divisor);

// Each period rounded up to a multiple of the unit.
std::vector<Duration> multiples_of(Duration unit, std::span<const Duration> periods);

// Mean over jobs of the added idle time relative to the original period.
double idle_fraction(std::span<const Duration> longer, std::span<const Duration> periods);

// The profiles lengthened to these periods by idle time at the end of each iteration.
SharedProfiles padded(const SharedProfiles& profiles, std::span<const Duration> periods);

}  // namespace loom::jobs
