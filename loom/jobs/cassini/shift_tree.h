// Branch and bound over the shifts of all jobs, the last step of search_shifts() (shift_search.h).
//
// A node has some jobs placed; each child places one more job, where the end of one burst coincides
// with the start of another (shifted_jobs.h). The shift of a node is excluded in the subtrees of
// its later siblings, so no combination is visited twice. Nodes are expanded in order of increasing
// lower bound, so a bound on the remaining tree is known at any time.
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
  double excess = 0;                              // total weighted excess
  double min_excess = 0;                          // lower bound on the excess of any shifts
  std::vector<std::vector<std::int64_t>> others;  // some equally good shifts
};

// Some links of a problem, with a lower bound on their total excess.
struct BoundedLinks {
  std::vector<int> links;
  double min_excess = 0;
};

// Returns a lower bound and the best shifts, which are those in `known` unless better ones are
// found. Each link belongs to exactly one of `groups`. Subtracts the number of search tree nodes
// visited from `budget.nodes`.
FoundShifts search_tree(const ShiftProblem& problem, const std::vector<BoundedLinks>& groups,
                        DescentResult known, SearchBudget& budget);

}  // namespace loom::jobs
