// Improves circuits of switches by exchanging the ends of two circuits on one switch, while the
// simulated time of the workload falls.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/circuits/circuit_layouts.h"
#include "loom/workload/workload.h"

namespace loom::plan {

// Returns the time of the workload, which must be on the layout, by the coarse engine; `time` is
// that time before. Leaves the layout as it is unless every device has a port on every switch, and
// the fabric and the workload are so small that exchanges can be simulated: at most `budget` of
// them, which falls by their number.
Duration improve_circuits(const fabric::CircuitFabric& fabric, const workload::Workload& workload,
                          Duration time, int& budget, CircuitLayout& layout);

}  // namespace loom::plan
