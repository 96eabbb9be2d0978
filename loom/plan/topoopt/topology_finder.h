// Turns a workload into a demand for TopologyFinder, and maps the workload to its result.
//
// All-reduces, reduce-scatters and all-gathers by one or more rings are mutable: any ring serves,
// so they use the rings that the topology has for their groups. All other traffic has fixed pairs.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/workload/workload.h"

namespace loom::plan {

struct MutableTraffic {
  fabric::TopologyDemand demand;
  // Per groups of the workload: index of its first group in the demand, the others follow; -1 if
  // none of its traffic is mutable.
  std::vector<int> first_group;
};

MutableTraffic mutable_traffic(const workload::Workload& workload);

// Whether any ring can perform it.
bool is_mutable(const workload::Collective& collective, int ranks);

// Makes mutable collectives use the rings found for their groups.
void put_on_rings(const MutableTraffic& traffic, const std::vector<fabric::GroupRings>& rings,
                  workload::Workload& workload);

// Provisions circuits for a workload by the rules of the fabric. If those find topologies, mutable
// collectives use the rings found.
fabric::CircuitSetup provision_workload(const fabric::CircuitFabric& fabric,
                                        workload::Workload& workload);

}  // namespace loom::plan
