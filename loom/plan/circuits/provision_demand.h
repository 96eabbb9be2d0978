// Provisions circuits once for a demand and, if part of it is forwarded by other devices, chooses
// the best of several alternatives for that.
//
// If every pair has a direct circuit, the result of the provisioner is kept. Otherwise forwarded
// traffic shares links with the rest, so its cost is known only when all flows run: the alternative
// is chosen for which the fluid engine delivers the demand, sent all at once, first. With too many
// pairs for that, the one whose busiest link finishes first.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom::plan {

fabric::CircuitSetup provision_demand(const fabric::CircuitFabric& fabric,
                                      const workload::Demand& demand);

}  // namespace loom::plan
