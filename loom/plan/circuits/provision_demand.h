// Provisions static circuits for a demand and, if devices must forward part of it, chooses the best
// of several topologies.
//
// If every pair has a direct circuit and the busiest link is near the bound of the fabric, the
// result of the provisioner is kept. Otherwise traffic may be forwarded, which contends with other
// traffic, so the topologies are compared by the time in which the
// fluid engine delivers the complete demand, sent at once. With too many pairs for a simulation, or
// where there is no time for one, they are compared by the time of the busiest link.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/provision.h"

namespace loom::plan {

// How alternatives are compared.
enum class Compare : std::uint8_t { by_simulation, by_busiest_link };

fabric::CircuitSetup provision_demand(const fabric::CircuitFabric& fabric,
                                      const workload::Demand& demand,
                                      Compare compare = Compare::by_simulation);

// All of these topologies, the one for the pairs themselves first.
std::vector<fabric::CircuitSetup> setups_for(const fabric::CircuitFabric& fabric,
                                             const workload::Demand& demand);

}  // namespace loom::plan
