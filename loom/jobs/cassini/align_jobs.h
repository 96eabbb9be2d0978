// The CASSINI module of a cluster: how well placed jobs go together, and when each should begin.
//
// Jobs that meet on a link which they can fill together form a group, and so do those that meet
// through others; groups know nothing of each other. A group's shifts are found for all its links
// at once (compatible.h). Periods that have no small common multiple never stay apart, whatever the
// shifts: so the periods of a group are padded, each to a multiple of a common one, where that
// takes at most a few percent and makes the score better by more than that.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "loom/jobs/cassini/compatible.h"
#include "loom/jobs/profile/placed_profiles.h"

namespace loom {

struct AlignOptions {
  std::int64_t nodes = 400;  // of the search for shifts of a group
  double padding = 0.05;     // of a period at most
  double slack = 0;          // of a period, which jitter may take up: padded at least
};

// Jobs that have to be turned together; by job as in `jobs`.
struct AlignedGroup {
  std::vector<int> jobs;          // as numbered in what was given
  std::vector<Duration> shifts;   // of the first iteration, in [0, period)
  std::vector<Duration> periods;  // padded
  double score = 1;               // mean over the links on which they can be in each other's way
  int links = 0;                  // how many those are
  double padding = 0;             // mean over the jobs
  bool apart = false;             // nothing is ever asked for in excess
};

struct Aligned {
  std::vector<AlignedGroup> groups;  // of two jobs at least
  int contended = 0;                 // links that several jobs use
  double score = 1;                  // mean over the contended links; 1 where there are none
  double padding = 0;                // mean over all jobs
};

// Keeps what it has found: many candidates differ in a job or two.
class JobAligner {
 public:
  JobAligner(const std::vector<SharedLink>& links, const AlignOptions& options)
      : links_(links), options_(options) {}

  // Profiles that live as long as this.
  Aligned align(std::span<const PlacedProfile* const> jobs);

 private:
  AlignedGroup align_group(std::span<const PlacedProfile* const> jobs,
                           const std::vector<int>& members, const std::vector<int>& tight);

  const std::vector<SharedLink>& links_;
  AlignOptions options_;
  std::map<std::vector<const PlacedProfile*>, AlignedGroup> found_;
};

// Periods, each at least as long as given, that are multiples of a common one: those of the least
// sum of padding parts with none above `most`; as given where there are none.
std::vector<Duration> padded_periods(std::span<const Duration> periods, double max);

}  // namespace loom
