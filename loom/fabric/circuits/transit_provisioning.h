// Re-provisions circuits when part of the demand is forwarded by other devices.
//
// A provisioner serves pairs with direct circuits. The traffic of the remaining pairs is forwarded
// over circuits that were not sized for it. So circuits are provisioned again for the load of every
// link, including forwarded traffic; or for the load that results if all traffic takes multi-hop
// paths, between neighbors on a ring or over a circulant graph (ring_steps.h) on switches.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/provision.h"

namespace loom::fabric {

// Load of each link, as a demand between the two ends of the link; pairs without a path are left
// out.
workload::Demand link_demand(const Network& network, const workload::Demand& demand);

// Alternatives to `setup`, which must carry all of the demand, as each alternative does.
std::vector<CircuitSetup> provision_for_transit(const CircuitFabric& fabric,
                                                const workload::Demand& demand,
                                                const CircuitSetup& setup);

}  // namespace loom::fabric
