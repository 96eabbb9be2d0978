// Wavelength assignment: gives wavelengths to circuits whose numbers are decided.
//
// Enough room on each segment is necessary but not sufficient, because a circuit keeps its
// wavelength along its whole arc. Circuits that cannot be colored are dropped, from the pair that
// is served best without them, so the result is feasible; then free wavelengths are filled,
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

// Circuits per segment and direction if the last wavelengths are reserved for neighbors. Without
// reuse every circuit between neighbors needs its own wavelength, and with too few of them no
// neighbors are connected. At least 0.
int capacity_of(const RingLimits& limits, bool neighbors);

// Whether the pair is served by a circuit between neighbors.
bool served_as_neighbors(const RingLimits& limits, int from, int to);

}  // namespace loom::fabric
