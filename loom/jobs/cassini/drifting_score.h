// Score of given shifts with the jobs' true periods, for searches that had to round the periods.
//
// The circle of 100, 103 and 107 ms is 18 minutes long: too long to search, but short enough to
// step through once. Shifts chosen for rounded periods lose their advantage as the jobs drift
// relative to each other; drifting_score() measures how much of the advantage remains.
#pragma once

#include <cstdint>
#include <span>

#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

inline constexpr std::int64_t kMaxWalkedEdges = 1'000'000;  // max edges stepped through per link

// Mean score of the contended links, like Compatibility::score. Each link is stepped through one
// full circle or, if that has more than `max_edges` edges, through about so many edges.
double drifting_score(const SharedProfiles& profiles, std::span<const Duration> shifts,
                      std::int64_t max_edges = kMaxWalkedEdges);

}  // namespace loom::jobs
