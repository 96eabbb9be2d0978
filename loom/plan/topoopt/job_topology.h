// The topology for the traffic of a job during a search over operator configurations: circuits
// found by TopologyFinder, the network they form, and the rings that gradient sums use.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/topoopt/network_loads.h"

namespace loom::plan {

// Needs a fabric that finds topologies and whose devices forward. On the result every server can
// reach every other, even if they exchange nothing in this job: another candidate may need it.
ProvidedNetwork topology_for(const fabric::CircuitFabric& fabric, const place::LoweredJob& job);

}  // namespace loom::plan
