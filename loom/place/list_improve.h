// Shortens a list schedule by local search.
//
// List scheduling does not look ahead: it may spread operators over devices although collecting
// their results then takes longer. The search moves unpartitioned operators to other devices, one
// by one or together with the operators that they exchange data with, and keeps each move that
// shortens the schedule. Large graphs are skipped, because each move needs a complete schedule.
#pragma once

#include "loom/place/list_schedule.h"

namespace loom::place {

// Returns a placement that is never longer than `start` and respects the same limits.
GroupPlacement improve(GroupPlacement start, const parallelize::Job& job, const ListRule& rule);

}  // namespace loom::place
