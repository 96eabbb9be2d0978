// Circuits lit once for a demand, and, where some of it is passed on by other devices, the best of
// several ways to light them for that.
//
// Pairs with circuits of their own have them as the provisioner gave them. What forwarding takes of
// whom is known only when all flow: of the ways that there are the one is taken with which the
// whole demand, sent at once, arrives first by the fluid engine. With too many pairs for that it is
// the one whose busiest link has the least to do.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom {

CircuitSetup provision_demand(const CircuitFabric& fabric, const Demand& demand);

}  // namespace loom
