// Some devices of a fabric on their own, and networks of disjoint devices side by side: what a job
// sees of a cluster, and what jobs with circuits of their own make together.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/network/network.h"

namespace loom {

// The devices as 0, 1, … in this order; all others are nodes that may pass on. Links and ways are
// those of the whole, under the same numbers.
Network subnetwork_of(const Network& network, std::span<const int> devices);

// The devices with the ports that they have on circuit switches. A ring has no parts: its fibres
// lead through all devices.
CircuitFabric subnetwork_of(const CircuitFabric& fabric, std::span<const int> devices);
bool has_subnetworks(const CircuitFabric& fabric);

struct Subnetwork {
  std::shared_ptr<const Network> network;
  std::vector<int> devices;  // its device d is devices[d] of the whole
};

// Of so many devices, each in one part at most. No way leads from part to part.
Network side_by_side(std::span<const Subnetwork> subnetworks, int devices);

}  // namespace loom
