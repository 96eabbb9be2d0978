// Periods whose circles are short enough to be drawn and searched.
//
// The perimeter of a link's circle is the least common multiple of its jobs' periods, which for
// measured ones (97.031 ms and 194.058 ms) may be hours. Such jobs drift against each other so
// slowly that they are treated as if their periods were in step: all periods of the jobs that meet
// are rounded to multiples of one unit. Communication keeps its length; the longest computation of
// an iteration takes up the difference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom {

inline constexpr Duration kLongestPeriod = std::chrono::hours(1);

// With this period instead; lengthened or shortened where it computes longest.
JobProfile with_period(const JobProfile& job, Duration period);

// Its circle turned: what came at 0 comes at `by`, or what is left of that after whole periods.
JobProfile delayed(const JobProfile& job, Duration by);

// The edges on the circle of the link that has most of them; more than `most`, or than twenty times
// as many on those of all links that jobs meet on, counts as most + 1.
std::int64_t circle_edges(const SharedProfiles& profiles, std::int64_t max_edges);

// The same profiles where circles have at most `most` edges and no tolerance is given. Otherwise
// rounded: of all units that are tried the one with the shortest circles that changes no period by
// more than the tolerance, or by more than twice what the best of them does. Where that is more
// than 5 %, circles may have sixteen times as many edges before anything is rounded.
SharedProfiles with_short_circles(const SharedProfiles& profiles, std::int64_t max_edges,
                                  double tolerance);

}  // namespace loom
