// The search step of best_shifts() (time_shifts.h): shifts of minimum total excess, and a lower
// bound on that excess.
//
// Coordinate descent (shift_descent.h) finds good shifts. Three facts give the lower bound. Excess
// is convex in the load, so each unplaced job adds at least what it would add if it came next. A
// link cannot carry more than its capacity. No shifts have less excess on a set of links than the
// best shifts for that set alone; therefore single links are searched first, then pairs and larger
// sets while that is cheap, then the tree over all links (shift_tree.h).
#pragma once

#include "loom/jobs/cassini/shift_tree.h"

namespace loom::jobs {

// Subtracts the number of search tree nodes visited from `budget.nodes`. Requires at least one job.
FoundShifts search_shifts(const ShiftProblem& problem, SearchBudget& budget);

}  // namespace loom::jobs
