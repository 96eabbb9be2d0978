// Rounds periods so that link circles are short enough to plot and search.
//
// The perimeter of a link's circle is the least common multiple of its jobs' periods; for measured
// periods (97.031 ms and 194.058 ms) it may be hours. Such jobs drift against each other so slowly
// that their periods can be treated as commensurate: all periods of contending jobs are rounded to
// multiples of one unit. Communication keeps its length; the longest computation of an iteration
// absorbs the difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

inline constexpr Duration kLongestPeriod = std::chrono::hours(1);

// The job with another period; its longest computation is lengthened or shortened.
JobProfile with_period(const JobProfile& job, Duration period);

// The job's circle rotated: demand at time 0 moves to time `by`, modulo the period.
JobProfile delayed(const JobProfile& job, Duration by);

// The number of edges on the circle that has the most. Returns max_edges + 1 if one circle has more
// than `max_edges`, or all circles together have more than twenty times as many.
std::int64_t circle_edges(const SharedProfiles& profiles, std::int64_t max_edges);

// Rounds periods if a circle has more than `max_edges` edges or a tolerance is given; otherwise
// returns the profiles unchanged. Picks the unit with the shortest circles among those that change
// no period by more than the tolerance, or by more than twice the smallest possible change. If that
// exceeds 5 %, circles may have sixteen times as many edges before anything is rounded.
SharedProfiles with_short_circles(const SharedProfiles& profiles, std::int64_t max_edges,
                                  double tolerance);

}  // namespace loom::jobs
