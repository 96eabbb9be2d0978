// Jobs as circles: what each asks of a link over an iteration, and what they ask together, as they
// come and as they were shifted.
//
// Time goes round clockwise from the top. On a link's circle the rates of its jobs lie on each
// other from the inside out; a dashed circle is what the link carries, and red is what lies above
// it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom {

struct CirclePicture {
  std::string title;
  SharedProfiles profiles;       // with the periods that were reckoned with
  std::vector<Duration> before;  // shifts, by job
  std::vector<Duration> after;
  std::vector<double> score_before;  // by link
  std::vector<double> score_after;
};

// The perimeter of a link's circle: the least common multiple of the periods of jobs that use it.
Duration perimeter_of(const SharedProfiles& profiles, int link);
std::vector<int> jobs_on(const SharedProfiles& profiles, int link);

// Links of two jobs or more, the one with the worst score before first, `most` of them; those of
// one where there are no others.
std::vector<int> links_to_draw(const CirclePicture& picture, std::size_t max);

// A row for each of these links: the circles of its jobs, all of them before and after.
std::string circles_svg(const CirclePicture& picture, std::span<const int> links);

}  // namespace loom
