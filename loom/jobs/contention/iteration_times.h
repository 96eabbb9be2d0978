// Iteration times of jobs and their distribution.
#pragma once

#include <span>
#include <vector>

#include "loom/place/lower.h"

namespace loom::jobs {

// The time of each iteration: the first begins at `start`, every other at the end of the one before
// it. `operation_end` holds the end of each of the job's operations.
std::vector<Duration> iteration_times(const place::LoweredJob& job,
                                      std::span<const TimePoint> operation_end, TimePoint start);

struct TimeSpread {
  Duration mean{0};  // rounded down
  Duration p50{0};   // nearest rank
  Duration p99{0};
  Duration max{0};

  bool operator==(const TimeSpread&) const = default;
};

// The distribution of the iteration times of one or several jobs. Every job has the same total
// weight, regardless of its number of iterations, which must be at least one.
TimeSpread spread_of(const std::vector<Duration>& times);
TimeSpread spread_of(const std::vector<std::vector<Duration>>& jobs);

}  // namespace loom::jobs
