// Other circuits for demand of which some is passed on by other devices.
//
// A provisioner serves pairs that have circuits of their own; who has none goes over others, whose
// circuits were not lit for that. So they can be lit once more, for what every link then carries;
// or for other ways over which all could go: from neighbour to neighbour of a ring, or by the steps
// of a circulant graph (ring_steps.h) between the ports of switches.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom {

// What each link carries where the demand goes its ways; pairs without a way are left out.
Demand link_demand(const Network& network, const Demand& demand);

// Needs `lit` to carry all of the demand; so do those that are returned.
std::vector<CircuitSetup> provision_for_transit(const CircuitFabric& fabric, const Demand& demand,
                                                const CircuitSetup& setup);

}  // namespace loom
