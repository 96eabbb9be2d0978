// Good shifts, fast: jobs are placed one by one where each adds least, and then each is turned
// again while that helps. Begun anew with other orders of the jobs.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "loom/jobs/cassini/shift_problem.h"

namespace loom {

// When a search is to end.
using Deadline = std::chrono::steady_clock::time_point;

// Excesses this near are the same.
inline constexpr double kSameExcess = 1e-9;

struct DescentResult {
  std::vector<std::int64_t> shifts;
  double excess = 0;                              // weighted
  std::vector<std::vector<std::int64_t>> others;  // equally good ones that were met
};

// Ends early with shifts of no more than `enough`, and begins no more after `end`.
DescentResult descend(const ShiftProblem& problem, int starts, double enough, Deadline end);

}  // namespace loom
