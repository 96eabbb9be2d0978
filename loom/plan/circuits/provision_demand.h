// Provisions static circuits for a demand and, if devices must forward part of it, chooses the best
// of several topologies.
//
// If every pair has a direct circuit, the result of the provisioner is kept. Otherwise forwarded
// traffic contends with other traffic, so the topologies are compared by the time in which the
// fluid engine delivers the complete demand, sent at once. With too many pairs for a simulation,
// they are compared by the time of the busiest link.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/provision.h"

namespace loom::plan {

fabric::CircuitSetup provision_demand(const fabric::CircuitFabric& fabric,
                                      const workload::Demand& demand);

}  // namespace loom::plan
