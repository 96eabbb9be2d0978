// From what links carried while a job went round alone to the few stages of its profile.
//
// An engine tells of every change of every link: a ring of eight devices stops and starts hundreds
// of times an iteration, for microseconds. Neighbouring pieces of the iteration become one stage
// where that moves next to no bytes in time, the most alike first. A stage keeps the bytes of its
// pieces, and computing that is longer than a sliver keeps its edges to the picosecond.
#pragma once

#include <vector>

#include "loom/jobs/profile/job_profile.h"

namespace loom {

// From `at` on a link carries this much.
struct LoadChange {
  Duration at{0};
  int link = 0;
  Bandwidth load;
};

struct StageOptions {
  std::size_t max_stages = 12;  // stages
  double tolerance = 0.005;     // of the bytes, which a merge may move in time
  int slivers = 512;            // pieces shorter than the iteration over this do not stand alone
};

// The stages of the time from `begin` to `end`, which is longer than nothing. Changes are in the
// order of their times; before the first, nothing is carried. Rates are rounded down.
std::vector<ProfileStage> profile_stages(const std::vector<LoadChange>& changes, Duration begin,
                                         Duration end, const StageOptions& options = {});

}  // namespace loom
