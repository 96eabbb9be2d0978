// The times of a run during which each kind of communication is in progress on any device.
#pragma once

#include <string>
#include <vector>

#include "loom/run/trace/explain.h"

namespace loom::run {

// An interval of the time in which the same kinds are in progress.
struct KindsInProgress {
  std::vector<place::Purpose> kinds;  // empty: none
  Duration time{0};
};

// Divides the time from `from` to `to`; each combination of kinds occurs once, the longest first. A
// collective is in progress from when its last rank joins until it ends.
std::vector<KindsInProgress> kinds_in_progress(const place::LoweredJob& job,
                                               const workload::Workload& workload,
                                               const RankTaskLog& log, TimePoint from,
                                               TimePoint to);

}  // namespace loom::run
