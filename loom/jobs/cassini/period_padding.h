// Iterations made a little longer so that they come round together.
//
// Jobs of 100 ms and 101 ms meet at every angle sooner or later; a hundredth of idle time in the
// first lets them share a link as if they were alike. Every period that some other could be a
// multiple of is tried, and what is worth its idle time is kept.
#pragma once

#include <span>
#include <vector>

#include "loom/jobs/cassini/compatible.h"

namespace loom {

struct PaddedPeriods {
  std::vector<Duration> periods;  // by job, none shorter than it was
  double idle = 0;                // the mean of what jobs wait, as a part of their periods
  Compatibility found;            // with these periods
};

// From the least idle time to the most: each better by a thousandth at least than those before it
// and than no padding at all, with the periods as they are where a search would round them. Nothing
// where jobs are compatible as they are. Any number of threads gives the same.
std::vector<PaddedPeriods> padding_worth_its_time(const SharedProfiles& profiles, double max_idle,
                                                  const ShiftSearchOptions& options = {},
                                                  int threads = 0);

// The least unit of which so many make the period or more.
Duration divided_up(Duration period, std::int64_t divisor);

// All periods as multiples of the unit, none shorter than it was.
std::vector<Duration> multiples_of(Duration unit, std::span<const Duration> periods);

// The mean of what jobs wait with longer periods, as a part of their own.
double idle_fraction(std::span<const Duration> longer, std::span<const Duration> periods);

// The profiles with these periods, idle at the end of an iteration.
SharedProfiles padded(const SharedProfiles& profiles, std::span<const Duration> periods);

}  // namespace loom
