// The tree of choices for shifts, searched by branch and bound.
//
// A node has some jobs placed; its children place one more where an end meets a beginning
// (job_turns.h). A turn that was a sibling's is not tried below the siblings that follow, so no
// choice is met twice. Nodes are taken by their bound, the least first, so the bound of what is
// left is known at any time.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "loom/jobs/cassini/shift_descent.h"
#include "loom/jobs/cassini/shift_problem.h"

namespace loom {

// How long a search may go on.
struct SearchBudget {
  std::int64_t nodes = 0;
  Deadline end = Deadline::max();

  bool over() const { return nodes <= 0 || std::chrono::steady_clock::now() >= end; }
};

struct FoundShifts {
  std::vector<std::int64_t> shifts;               // by job of the problem
  double excess = 0;                              // weighted
  double min_excess = 0;                          // no shifts have less
  std::vector<std::vector<std::int64_t>> others;  // that are as good, some of them
};

// Links of a problem, and an excess that no shifts go below on them together.
struct BoundedLinks {
  std::vector<int> links;
  double min_excess = 0;
};

// Better than what is known, or proof that nothing is. Each link is in one of the parts. Takes the
// nodes that it makes from the budget.
FoundShifts search_tree(const ShiftProblem& problem, const std::vector<BoundedLinks>& groups,
                        DescentResult known, SearchBudget& budget);

}  // namespace loom
