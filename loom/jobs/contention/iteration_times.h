// How long the iterations of jobs took, and how that is spread.
#pragma once

#include <span>
#include <vector>

#include "loom/place/lower.h"

namespace loom {

// From end to end of each iteration. The first, which found nothing under way, is left out unless
// there is no other. `operation_end` is that of the job's operations, `start` when it began.
std::vector<Duration> iteration_times(const LoweredJob& job,
                                      std::span<const Duration> operation_end, Duration start);

struct TimeSpread {
  Duration mean{0};  // rounded down
  Duration p50{0};   // the least time that half of all do not exceed
  Duration p99{0};
  Duration max{0};

  bool operator==(const TimeSpread&) const = default;
};

// Of one job, and of several: each of those counts the same, however many iterations it did. Every
// job has one at least.
TimeSpread spread_of(const std::vector<Duration>& times);
TimeSpread spread_of(const std::vector<std::vector<Duration>>& jobs);

}  // namespace loom
