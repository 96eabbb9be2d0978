// The topology for what a job sends, as ground for a search over the ways of its operators:
// circuits found by TopologyFinder, the network they make, and the rings that its sums take.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/topoopt/network_loads.h"

namespace loom {

// Of a fabric that finds topologies, where devices forward. Every server reaches every other, also
// those that exchange nothing in this job: another strategy may let them.
ProvidedNetwork topology_for(const CircuitFabric& fabric, const LoweredJob& job);

}  // namespace loom
