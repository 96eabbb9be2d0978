// Circuits for as much of the demand as possible, rather than for the pair served worst.
//
// A pair's weight is its bytes divided by one more than the circuits it has. Each switch in turn
// takes a matching of most weight; on a ring each circuit goes to the pair of most weight that has
// room for it, and wavelengths are found as for the other objective (see ring_lighting.h).
#pragma once

#include "loom/fabric/circuits/circuits.h"

namespace loom {

Provisioned provision_max_weight(const OcsLimits& limits, const Demand& demand);
Provisioned provision_max_weight(const RingLimits& limits, const Demand& demand);

}  // namespace loom
