// What a workload asks of TopologyFinder, and how it is carried then.
//
// All-reduces, reduce-scatters and all-gathers by ring, or by several, are mutable: which rings
// does not matter. They are done over those that the topology has for their groups. All else is
// between given pairs.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/workload/workload.h"

namespace loom {

struct MutableTraffic {
  TopologyDemand demand;
  // By groups of the workload: its first group in the demand, the others follow; -1: nothing that
  // they do is mutable.
  std::vector<int> first_group;
};

MutableTraffic mutable_traffic(const Workload& workload);

// Whether any ring carries it.
bool is_mutable(const Collective& collective, int ranks);

// Mutable collectives by the rings that were found for their groups.
void put_on_rings(const MutableTraffic& traffic, const std::vector<GroupRings>& rings,
                  Workload& workload);

// Circuits for a workload by the rules of the fabric. Where those find topologies, mutable
// collectives are put on their rings.
CircuitSetup provision_workload(const CircuitFabric& fabric, Workload& workload);

}  // namespace loom
