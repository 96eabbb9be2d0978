// Provisions circuits on a fiber ring to maximize the rate of the worst-served pair (max-min).
//
// Circuit counts: on a unidirectional ring, progressive filling is exact (filling.h). On a
// bidirectional ring, filling over the shorter arcs comes first; then a binary search finds after
// how many further raises the counts can still be split over both directions, which ring_split.h
// decides exactly. `bound` is the rate beyond which no counts fit the segments: the
// optimum, or above it if the search ran out of work. Wavelengths: see wavelength_assignment.h; if
// circuits had to be dropped there, `rate` is below `bound`.
#pragma once

#include "loom/fabric/circuits/circuits.h"

namespace loom::fabric {

// If more pairs cross a segment than it has wavelengths, the best rate is 0; then as many pairs as
// possible are served, largest first. With `connect`, each device then also has a circuit to both
// neighbors (to the next one, if the ring is unidirectional), so that devices can forward the rest.
Provisioned provision_max_min(const RingLimits& limits, const workload::Demand& demand,
                              bool connect = false);

// Upper bound on the rate of the worst-served pair.
double max_min_bound(const RingLimits& limits, const workload::Demand& demand);

}  // namespace loom::fabric
