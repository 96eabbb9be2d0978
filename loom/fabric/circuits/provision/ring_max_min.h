// Circuits of a fibre ring that serve the worst-served pair as well as possible.
//
// The numbers of circuits: one way round, filling is exact (see filling.h). Both ways, filling over
// the shorter arcs comes first; then a search among the numbers it would come to next, each decided
// exactly (see ring_split.h), finds how far splitting leads. `bound` is the rate beyond which no
// numbers fit the segments: the optimum, unless the search ran out of work, and then above it. The
// wavelengths: see ring_lighting.h; where circuits had to be left out `rate` is below `bound`.
#pragma once

#include "loom/fabric/circuits/circuits.h"

namespace loom {

// Where more pairs cross a segment than it has wavelengths the best rate is 0. Then the pairs with
// most bytes are served, as many as can be. With `connect` each device has in that case a circuit
// to both its neighbours (to the next, where the ring has one direction), so that devices can
// forward what has no circuit of its own.
Provisioned provision_max_min(const RingLimits& limits, const Demand& demand, bool connect = false);

// No circuits serve the worst better.
double max_min_bound(const RingLimits& limits, const Demand& demand);

}  // namespace loom
