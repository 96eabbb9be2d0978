// Branch and bound over the shifts of all jobs.
//
// A node has some jobs placed; each child places one more where one burst's end coincides with
// another's start (shifted_jobs.h). A shift tried by a sibling is excluded below its later
// siblings, so no combination is visited twice. Nodes are expanded in order of increasing lower
// bound, so a bound on the remaining tree is known at any time.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "loom/jobs/cassini/shift_descent.h"
#include "loom/jobs/cassini/shift_problem.h"

namespace loom::jobs {

// Limits on a search.
struct SearchBudget {
  std::int64_t nodes = 0;
  Deadline end = Deadline::max();

  bool over() const { return nodes <= 0 || std::chrono::steady_clock::now() >= end; }
};

struct FoundShifts {
  std::vector<std::int64_t> shifts;               // indexed by job of the problem
  double excess = 0;                              // weighted
  double min_excess = 0;                          // lower bound on the excess of any shifts
  std::vector<std::vector<std::int64_t>> others;  // some equally good alternatives
};

// Links of a problem with a lower bound on their total excess.
struct BoundedLinks {
  std::vector<int> links;
  double min_excess = 0;
};

// Returns better shifts than `known`, or proof that there are none. Each link belongs to exactly
// one of `groups`. Deducts the nodes it uses from the budget.
FoundShifts search_tree(const ShiftProblem& problem, const std::vector<BoundedLinks>& groups,
                        DescentResult known, SearchBudget& budget);

}  // namespace loom::jobs
