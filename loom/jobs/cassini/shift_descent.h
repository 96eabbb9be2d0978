// Finds good shifts quickly by coordinate descent: places jobs one by one where each adds the least
// excess, then re-optimizes the shift of each job in turn, for at most 20 rounds or until a round
// improves nothing. Restarts with other orders of the jobs. A step of search_shifts()
// (shift_search.h).
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

// Runs up to `starts` descents. Stops early once the excess is at most `enough` and three other
// solutions are as good; starts no new descent after `end`.
DescentResult descend(const ShiftProblem& problem, int starts, double enough, Deadline end);

}  // namespace loom::jobs
