// The score of jobs with the periods that they have, where a search had to round them.
//
// The circle of 100, 103 and 107 ms is 18 minutes long: too long to be searched, but not to be
// walked along. Shifts that are good for rounded periods lose what they gain as the jobs drift
// past each other; how much is seen only here.
#pragma once

#include <cstdint>
#include <span>

#include "loom/jobs/profile/job_profile.h"

namespace loom {

inline constexpr std::int64_t kMaxWalkedEdges = 1'000'000;  // of a link

// Mean over contended links, as Compatibility::score. Each link is walked once round its circle or,
// where that has more edges than `most`, as far as so many lead.
double drifting_score(const SharedProfiles& profiles, std::span<const Duration> shifts,
                      std::int64_t max_edges = kMaxWalkedEdges);

}  // namespace loom
