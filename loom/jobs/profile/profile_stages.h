// Reduces the recorded link loads of an isolated job to the few stages of its profile.
//
// The engine reports every change of every link's load; a ring of eight devices pauses for
// microseconds hundreds of times per iteration. The iteration is divided into slices at these
// changes, and slivers (very short slices) next to each other are joined. Adjacent slices are then
// merged, the most similar first, as long as that moves very few bytes in time or too many are
// left. A stage has the bytes of its slices.
#pragma once

#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom::jobs {

// The load of a link from `at` on.
struct LoadChange {
  TimePoint at;
  int link = 0;
  Bandwidth load;
};

struct StageOptions {
  std::size_t max_stages = 12;  // limit on the number of stages
  double tolerance = 0.005;     // fraction of all bytes that a merge may move in time
  int slivers = 512;            // a slice shorter than iteration / slivers is a sliver
};

// Returns the stages between `begin` and `end`, which must be later. Changes are sorted by time;
// before the first change the load is 0. Rates are rounded down.
std::vector<ProfileStage> profile_stages(const std::vector<LoadChange>& changes, TimePoint begin,
                                         TimePoint end, const StageOptions& options = {});

}  // namespace loom::jobs
