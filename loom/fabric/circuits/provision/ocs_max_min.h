// Provisions circuits on optical switches to maximize the rate of the worst-served pair (max-min).
//
// If every device is on every switch, this is exact without a solver. Only the number of circuits
// into and out of each device matters: if it is at most the number of switches, the circuits always
// decompose into one partial permutation per switch (edge_coloring.h). Progressive filling finds
// the optimal numbers (filling.h). With partial wiring, circuits are placed one by one, moving
// other circuits to make room; `bound` is then the best rate that the port counts allow.
#pragma once

#include "loom/fabric/circuits/circuits.h"

namespace loom::fabric {

// If a device has more peers than ports the best rate is 0; then as many pairs as possible are
// served, largest first. With `connect`, each device i then also has a circuit to i + 1, so that
// devices can forward the rest; with partial wiring, only where ports are free.
Provisioned provision_max_min(const OcsLimits& limits, const workload::Demand& demand,
                              bool connect = false);

// Upper bound on the rate of the worst-served pair, from the port counts.
double max_min_bound(const OcsLimits& limits, const workload::Demand& demand);

}  // namespace loom::fabric
