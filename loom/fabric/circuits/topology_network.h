// The network formed by the circuits of a topology: links, transit links of hosts, and routes.
//
// Ring neighbors use the circuits of their ring. Other pairs of the demand are routed over k
// shortest paths so that links share the load (balanced_routes.h). If there are too many pairs for
// that, and for pairs outside the demand, two members of a group use its rings by coin change, and
// all other pairs use all shortest paths. Where the forwarding rate of hosts is limited, forwarded
// traffic also crosses the transit link of the host.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

Network topology_network(const CircuitFabric& fabric, const TopologyDemand& demand,
                         const Topology& topology);

// Time in seconds for which this demand keeps the busiest link busy.
double busiest_link_time(const Network& network, const workload::Demand& demand);

struct TopologySetup {
  Topology topology;
  CircuitSetup setup;
};

// Finds the topology for a demand by fabric.topology, which must be set, and builds its network;
// `infeasible` says why it cannot carry the demand or cannot be patched.
TopologySetup provision_topology(const CircuitFabric& fabric, const TopologyDemand& demand);

}  // namespace loom::fabric
