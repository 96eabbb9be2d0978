// Draws CASSINI's circles: the demand of each job on a link over one iteration, and the total
// demand of all jobs, before and after time shifts.
//
// Time runs clockwise from the top. On a link's circle the rates of its jobs are stacked from the
// inside out; a dashed circle is the link's capacity, and demand above it is red.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom::report {

struct CirclePicture {
  std::string title;
  jobs::SharedProfiles profiles;  // profiles with the periods that the search used
  std::vector<Duration> before;   // time shifts by job
  std::vector<Duration> after;
  std::vector<double> score_before;  // by link
  std::vector<double> score_after;
};

// The perimeter of a link's circle: the least common multiple of the periods of jobs that use it.
Duration perimeter_of(const jobs::SharedProfiles& profiles, int link);
std::vector<int> jobs_on(const jobs::SharedProfiles& profiles, int link);

// Returns at most `max` links that two or more jobs share, lowest score before the shifts first. If
// no link is shared, returns links of single jobs.
std::vector<int> links_to_draw(const CirclePicture& picture, std::size_t max);

// Draws one row per link: the circle of each job, and the circles of all jobs before and after the
// shifts.
std::string circles_svg(const CirclePicture& picture, std::span<const int> links);

}  // namespace loom::report
