// The network formed by the circuits of a topology: links, transit links of hosts, and routes.
//
// Ring neighbors use the circuits of their ring. Other pairs of the demand are split over k
// shortest paths, which balances the load (balanced_routes.h). The rest, and all pairs if there are
// too many to balance, take the first of these that exists:
//   1. their own circuit;
//   2. the rings of a collective's group that both belong to, forwarded step by step
//      (coin_change.h);
//   3. an even split over all shortest paths.
// If the forwarding rate of hosts is limited, each host has a transit link that all traffic
// forwarded by it crosses.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

Network topology_network(const CircuitFabric& fabric, const TopologyDemand& demand,
                         const Topology& topology);

// Time in seconds that the busiest link needs for this demand; infinite if a pair has no route.
double busiest_link_time(const Network& network, const workload::Demand& demand);

struct TopologySetup {
  Topology topology;
  CircuitSetup setup;
};

// Finds the topology for a demand by the rules in fabric.topology, which must be set, and builds
// its network. `infeasible` is the reason why the topology cannot carry the demand or cannot be
// patched.
TopologySetup provision_topology(const CircuitFabric& fabric, const TopologyDemand& demand);

// The same, with the topology that is found for `shares`: the demand with other numbers of bytes.
TopologySetup provision_topology(const CircuitFabric& fabric, const TopologyDemand& demand,
                                 const TopologyDemand& shares);

}  // namespace loom::fabric
