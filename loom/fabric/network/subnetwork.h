// Subnetworks: the network as seen by a job in a cluster, and the union of the disjoint networks of
// jobs that each have their own circuits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// The network as seen by a job on `devices`, which become devices 0, 1, … in this order. All other
// devices become switches. Links keep their numbers, and routes are those of the full network.
Network subnetwork_of(const Network& network, std::span<const int> devices);

// The circuit switches with only these devices. A ring has no subnetworks, because its fibers pass
// through all devices.
CircuitFabric subnetwork_of(const CircuitFabric& fabric, std::span<const int> devices);
bool has_subnetworks(const CircuitFabric& fabric);

struct Subnetwork {
  std::shared_ptr<const Network> network;
  std::vector<int> devices;  // device d of the subnetwork is devices[d] of the full network
};

// Union of disjoint subnetworks over `devices` devices, each in at most one of them. There are no
// routes between subnetworks.
Network side_by_side(std::span<const Subnetwork> subnetworks, int devices);

}  // namespace loom::fabric
