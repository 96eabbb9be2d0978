// Coordinate descent for good shifts, quickly: places jobs one by one where each adds the least
// excess, then re-optimizes each job's shift until nothing improves. Restarts with other job
// orders.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "loom/jobs/cassini/shift_problem.h"

namespace loom::jobs {

// Time at which a search must end.
using Deadline = std::chrono::steady_clock::time_point;

// Excesses that differ by less are considered equal.
inline constexpr double kSameExcess = 1e-9;

struct DescentResult {
  std::vector<std::int64_t> shifts;
  double excess = 0;                              // weighted
  std::vector<std::vector<std::int64_t>> others;  // some equally good alternatives
};

// Stops early once the excess is at most `enough`; starts no new descent after `end`.
DescentResult descend(const ShiftProblem& problem, int starts, double enough, Deadline end);

}  // namespace loom::jobs
