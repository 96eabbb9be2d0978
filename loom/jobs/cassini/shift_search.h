// The shifts of least excess, over all links together, and a proof of how good they are.
//
// Good shifts are found fast (shift_descent.h). That there are none much better follows from three
// bounds. Excess is convex in the load, so each job not placed yet adds at least what it would add
// alone. A link cannot take more than it has room for. And no shifts have less excess on some links
// than the best shifts for these links alone: so links are searched one by one, then two by two and
// so on while that is cheap, before the tree of all (shift_tree.h).
#pragma once

#include "loom/jobs/cassini/shift_tree.h"

namespace loom {

// Takes the nodes that it makes from the budget. Needs a job at least.
FoundShifts search_shifts(const ShiftProblem& problem, SearchBudget& budget);

}  // namespace loom
