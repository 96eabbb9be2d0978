// Rounds periods so that the circles of links are short enough to plot and search.
//
// The perimeter of a link's circle is the least common multiple of its jobs' periods; for measured
// periods such as 97.031 ms and 194.058 ms it may be hours. Such jobs drift so slowly relative to
// each other that the periods of contending jobs can be rounded to multiples of one unit.
// Communication keeps its length; the longest computation of an iteration absorbs the difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

inline constexpr Duration kLongestPeriod = std::chrono::hours(1);

// Returns the job with another period; its longest computation is lengthened or shortened.
JobProfile with_period(const JobProfile& job, Duration period);

// Returns the job rotated on its circle: demand at time 0 moves to time `by`, modulo the period.
JobProfile delayed(const JobProfile& job, Duration by);

// The largest number of edges (starts and ends of bursts) on a circle. Returns max_edges + 1 if a
// circle has more than `max_edges` edges, or all circles together have more than twenty times as
// many.
std::int64_t circle_edges(const SharedProfiles& profiles, std::int64_t max_edges);

// Rounds periods if a circle has more than `max_edges` edges or a tolerance is given; otherwise
// returns the profiles unchanged. Of all units that change no period by more than the tolerance, or
// by more than twice the smallest possible change, it uses the unit with the shortest circles. If a
// period would change by more than 5 %, circles may have sixteen times as many edges instead.
SharedProfiles with_short_circles(const SharedProfiles& profiles, std::int64_t max_edges,
                                  double tolerance);

}  // namespace loom::jobs
