// Small steps from a list schedule to a shorter one.
//
// List scheduling looks at no operator that comes later: it spreads work whose results then have to
// come together again. Moving uncut operators, alone or with those they exchange with, mends most
// of that in small graphs; in large ones, where each step costs a whole schedule, it is left out.
#pragma once

#include "loom/place/list_schedule.h"

namespace loom {

// Never longer, and within the same limits.
GroupPlacement improve(GroupPlacement start, const Job& job, const ListRule& rule);

}  // namespace loom
