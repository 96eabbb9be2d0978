// Searches for the shifts of minimum total excess, and computes a lower bound on that excess.
//
// Coordinate descent (shift_descent.h) finds good shifts. The lower bound combines three facts.
// Excess is convex in the load, so each unplaced job adds at least what it would add alone to the
// placed ones. A link cannot carry more than its capacity. No shifts have less excess on a set of
// links than the best shifts for that set: so single links are searched first, then pairs and
// larger sets while that is cheap, then the tree over all links (shift_tree.h).
#pragma once

#include "loom/jobs/cassini/shift_tree.h"

namespace loom::jobs {

// Deducts the search tree nodes used from the budget. Requires at least one job.
FoundShifts search_shifts(const ShiftProblem& problem, SearchBudget& budget);

}  // namespace loom::jobs
