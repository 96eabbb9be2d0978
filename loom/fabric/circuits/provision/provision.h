// Circuit provisioning: turns a demand into circuits that satisfy the limits of a fabric.
//
// provision() is the entry point. It calls the fabric's provisioner (provisioners.h lists them),
// TopologyFinder if the fabric has topology rules, or, beside a packet switch, either of them for
// the large pairs only. provision_network() also builds the network that the circuits form.
#pragma once

#include <optional>

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom::fabric {

// Provisions circuits for the demand with the fabric's provisioner. The circuits satisfy the
// limits: violation() returns nullopt.
Provisioned provision(const CircuitFabric& fabric, const workload::Demand& demand);

// Circuits provisioned once for a demand, and the network they form.
struct CircuitSetup {
  Provisioned provisioned;
  Network network;
  std::optional<Infeasible> infeasible = {};  // reason why some demand cannot be carried
};

CircuitSetup provision_network(const CircuitFabric& fabric, const workload::Demand& demand);

}  // namespace loom::fabric
