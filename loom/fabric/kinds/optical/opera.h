// Opera: rotor switches that change one at a time, so that the others always form an expander
// (Mellette et al., NSDI 2020).
//
// Bulk traffic waits for its direct circuit. Latency-sensitive traffic is forwarded at once over
// several current circuits and uses the capacity of each. `routing` chooses one of the two for all
// messages of a scenario; the paper divides flows at 15 MB. The expander of one slice stands for
// all: this is accurate for messages shorter than a slice; for longer ones, the following slices
// would even out the load.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "loom/fabric/circuits/rotation.h"
#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kOperaKind;

// The circuits of a slice as (from, to): those of all planes except the one that changes, which is
// plane 0, 1, … in turn.
std::vector<std::pair<int, int>> opera_slice(const Rotation& rotation, int slice);

// The first slice whose circuits do not connect all devices.
std::optional<Infeasible> opera_gap(const Rotation& rotation);

}  // namespace loom::fabric
