// The network that the circuits of a topology make: links, transit links of hosts, and the ways of
// every pair.
//
// A pair whose ring has circuits takes them. Others are laid over the k shortest ways such that
// links share the load (balanced_ways.h); where pairs are too many for that, and for pairs that the
// demand does not name, two members of a group go over its rings by coin change, and all others
// over all shortest ways. What a host passes on crosses its transit link, where its rate is
// limited.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/fabric/network/network.h"

namespace loom {

Network topology_network(const CircuitFabric& fabric, const TopologyDemand& demand,
                         const Topology& topology);

// How long the busiest link of the network is busy with this demand, in seconds.
double busiest_link_time(const Network& network, const Demand& demand);

struct TopologySetup {
  Topology topology;
  CircuitSetup setup;
};

// The topology for a demand by the rules of the fabric, which has some; the network it makes, or
// why it cannot carry the demand or be patched.
TopologySetup provision_topology(const CircuitFabric& fabric, const TopologyDemand& demand);

}  // namespace loom
