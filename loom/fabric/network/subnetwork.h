// Subnetworks: the network that a job sees in a cluster, and the union of disjoint networks, for
// jobs that each have their own circuits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// Renumbers the devices as 0, 1, … in this order; all others become nodes that may forward. Links
// keep their numbers, and routes are those of the full network.
Network subnetwork_of(const Network& network, std::span<const int> devices);

// The devices with their ports on circuit switches. A ring has no subnetworks: its fibers pass
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
