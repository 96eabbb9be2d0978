// Wavelength assignment: assigns wavelengths to a given number of circuits per pair and direction.
//
// Enough room on each segment is necessary but not sufficient, because a circuit keeps its
// wavelength along its whole arc. Circuits that get no wavelength are dropped, from the pairs that
// are served best without them, so the result is feasible. Then free wavelengths are filled,
// worst-served pair first.
#pragma once

#include <vector>

#include "loom/fabric/circuits/provision/ring_loads.h"

namespace loom::fabric {

// `split` gives the circuits of each pair of the demand, per direction. With `neighbors`, the last
// wavelengths are reserved for circuits between neighbors, which the result then has in addition to
// those of `split`.
Provisioned assign_wavelengths(const RingLimits& limits, const workload::Demand& demand,
                               const std::vector<Split>& split, bool neighbors);

// Circuits per segment and direction; with `neighbors`, without the wavelengths reserved for
// circuits between neighbors. Without wavelength reuse each of these circuits needs its own
// wavelength; if there are too few, none are reserved, and neighbors are not connected.
int capacity_of(const RingLimits& limits, bool neighbors);

// Whether the pair is served by a circuit between neighbors.
bool served_as_neighbors(const RingLimits& limits, int from, int to);

}  // namespace loom::fabric
