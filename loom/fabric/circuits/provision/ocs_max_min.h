// Circuits of optical switches that serve the worst-served pair as well as possible.
//
// With every device on every switch this is exact without a solver: what counts for a rate are the
// circuits of each device, in and out, since counts of at most one per switch and port always
// divide into one partial permutation for each switch (see edge_colouring.h); and filling finds the
// best counts (see filling.h). With partial wiring circuits are placed one by one, moving others
// where that makes room; `bound` is then the best rate that the numbers of ports permit.
#pragma once

#include "loom/fabric/circuits/circuits.h"

namespace loom {

// A device with more peers than ports makes the best rate 0. Then the pairs with most bytes are
// served, as many as can be. With `connect` each device i has a circuit to i + 1 in that case, so
// that devices can forward what has no circuit of its own; with partial wiring where there is room.
Provisioned provision_max_min(const OcsLimits& limits, const Demand& demand, bool connect = false);

// The best rate that the numbers of ports permit, for the pair served worst.
double max_min_bound(const OcsLimits& limits, const Demand& demand);

}  // namespace loom
