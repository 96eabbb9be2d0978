// Opera: rotor switches that change one at a time, so that the circuits of the other switches
// always form an expander graph (Mellette et al., NSDI 2020).
//
// Bulk traffic waits for its direct circuit, or is relayed over two hops. Latency-sensitive traffic
// is forwarded at once over several current circuits and uses the capacity of each. `routing`
// selects one of these for all messages of a scenario: direct, valiant or expander. In the paper,
// flows above 15 MB are bulk traffic. With `expander`, the network has the circuits of one slice
// only. This is accurate for messages shorter than a slice; for longer messages, the following
// slices would even out the load.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "loom/fabric/circuits/rotation.h"
#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kOperaKind;

// The circuits of a slice as (from, to): the circuits of all planes except the plane that changes.
// Planes 0, 1, … change in turn.
std::vector<std::pair<int, int>> opera_slice(const Rotation& rotation, int slice);

// The first slice whose circuits do not connect all devices.
std::optional<Infeasible> opera_gap(const Rotation& rotation);

}  // namespace loom::fabric
