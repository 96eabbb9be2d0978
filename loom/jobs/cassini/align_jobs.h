// CASSINI for a cluster: scores how well placed jobs share links, and chooses their time shifts.
//
// Jobs whose peak rates together exceed a link's capacity form a group, transitively; groups are
// independent. The shifts of a group are searched over all its links at once (time_shifts.h). Jobs
// whose periods have no small common multiple drift relative to each other, whatever their shifts;
// the periods of a group are therefore padded to multiples of a common period if that costs at most
// a few percent and improves the score by more than it costs.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "loom/jobs/cassini/time_shifts.h"
#include "loom/jobs/profile/placed_profiles.h"

namespace loom::jobs {

struct AlignOptions {
  std::int64_t nodes = 400;  // node budget of the shift search, per group
  double padding = 0.05;     // max padding, as a fraction of the period
  double slack = 0;          // padding that is always added for jitter, as a fraction of the period
};

// Jobs that must be aligned together; vectors are indexed like `jobs`.
struct AlignedGroup {
  std::vector<int> jobs;          // indices into the jobs passed to align()
  std::vector<Duration> shifts;   // delay of the first iteration, in [0, period)
  std::vector<Duration> periods;  // padded periods
  double score = 1;               // mean score of the links on which these jobs can contend
  int links = 0;                  // number of links on which these jobs can contend
  double padding = 0;             // padding as a fraction of the period, mean over the jobs
  bool apart = false;             // with these shifts, demand never exceeds a link's capacity
};

struct Aligned {
  std::vector<AlignedGroup> groups;  // each of at least two jobs
  int contended = 0;                 // number of links used by several jobs
  double score = 1;                  // mean score of these links; 1 if there are none
  double padding = 0;                // padding as a fraction of the period, mean over all jobs
};

// Results are cached per group, because most candidate placements differ by only a job or two.
class JobAligner {
 public:
  JobAligner(const std::vector<SharedLink>& links, const AlignOptions& options)
      : links_(links), options_(options) {}

  // The profiles must outlive this aligner.
  Aligned align(std::span<const PlacedProfile* const> jobs);

 private:
  AlignedGroup align_group(std::span<const PlacedProfile* const> jobs,
                           const std::vector<int>& members, const std::vector<int>& tight);

  const std::vector<SharedLink>& links_;
  AlignOptions options_;
  std::map<std::vector<const PlacedProfile*>, AlignedGroup> found_;
};

// Pads periods to multiples of a common period. Among the choices that lengthen no period by more
// than the fraction `max`, and after which all jobs repeat within 24 common periods, returns the
// one with the smallest mean padding. Returns the periods unchanged if there is no such choice.
std::vector<Duration> padded_periods(std::span<const Duration> periods, double max);

}  // namespace loom::jobs
