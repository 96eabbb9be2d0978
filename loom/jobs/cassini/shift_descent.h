// Finds good shifts quickly by coordinate descent: places jobs one by one where each adds the least
// excess, then re-optimizes the shift of each job until nothing improves. Restarts with other
// orders of the jobs.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "loom/jobs/cassini/shift_problem.h"

namespace loom::jobs {

// Time point at which a search must end.
using Deadline = std::chrono::steady_clock::time_point;

// Excesses that differ by less are considered equal.
inline constexpr double kSameExcess = 1e-9;

struct DescentResult {
  std::vector<std::int64_t> shifts;
  double excess = 0;                              // total weighted excess
  std::vector<std::vector<std::int64_t>> others;  // some equally good shifts
};

// Runs up to `starts` descents. Stops early once the excess is at most `enough` and there are some
// alternatives; starts no new descent after `end`.
DescentResult descend(const ShiftProblem& problem, int starts, double enough, Deadline end);

}  // namespace loom::jobs
