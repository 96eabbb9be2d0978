// Rounds periods so that the circles of links are short enough to plot and search.
//
// The load of a link repeats on a circle, whose perimeter is the least common multiple of its jobs'
// periods; for measured periods such as 97.031 ms and 194.058 ms it may be hours. Such jobs drift
// so slowly relative to each other that the periods of contending jobs can be rounded to multiples
// of one unit. Communication keeps its length if the longest computation of the iteration can
// absorb the difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

inline constexpr Duration kLongestPeriod = std::chrono::hours(1);

// Returns the job with another period: lengthens or shortens its longest computation, or scales all
// stages if that computation is too short.
JobProfile with_period(const JobProfile& job, Duration period);

// Returns the job rotated on its circle: demand at time 0 moves to time `by`, modulo the period.
JobProfile delayed(const JobProfile& job, Duration by);

// The largest number of edges (starts and ends of bursts) on a circle. Returns max_edges + 1 if a
// circle has more than `max_edges` edges, or if the circles of a set of contending jobs together
// have more than 20 · max_edges.
std::int64_t circle_edges(const SharedProfiles& profiles, std::int64_t max_edges);

// Rounds the periods of contending jobs to multiples of one unit if a circle has more than
// `max_edges` edges or a tolerance is given; otherwise returns the profiles unchanged. A unit may
// change a period by at most the tolerance or, if that is more, twice the smallest possible change;
// the unit with the fewest edges on a circle is used. If it changes a period by more than 5 %, all
// periods are kept instead, provided that the circles have at most 16 · max_edges edges.
SharedProfiles with_short_circles(const SharedProfiles& profiles, std::int64_t max_edges,
                                  double tolerance);

}  // namespace loom::jobs
