// Local search from a list schedule to a shorter one.
//
// List scheduling does not look ahead: it spreads work whose results must then be brought together
// again. Moving unpartitioned operators, individually or with those they exchange data with,
// repairs most of that in small graphs. Large graphs are skipped, because each step costs a
// complete schedule.
#pragma once

#include "loom/place/list_schedule.h"

namespace loom::place {

// The result is never longer and respects the same limits.
GroupPlacement improve(GroupPlacement start, const parallelize::Job& job, const ListRule& rule);

}  // namespace loom::place
