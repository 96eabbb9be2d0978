// Re-provisions circuits when part of the demand is forwarded by other devices.
//
// A provisioner serves pairs with direct circuits; the remaining pairs are forwarded over circuits
// that were not sized for them. So circuits are provisioned again, for the load that every link
// then carries, or for multi-hop paths that could carry everything: between neighbors of a ring, or
// along a circulant graph (ring_steps.h) between the ports of switches.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom::fabric {

// Load of each link, as a demand between its ends; pairs without a path are left out.
workload::Demand link_demand(const Network& network, const workload::Demand& demand);

// Alternatives to `setup`, which must carry all of the demand; so do the alternatives.
std::vector<CircuitSetup> provision_for_transit(const CircuitFabric& fabric,
                                                const workload::Demand& demand,
                                                const CircuitSetup& setup);

}  // namespace loom::fabric
