// Turns a workload into a demand for TopologyFinder, and maps the workload to the topology found.
//
// All-reduces, reduce-scatters and all-gathers by one or more rings are mutable (TopoOpt): the
// order of the ranks on a ring is free, so they use the rings that the topology provides for their
// groups. All other traffic has fixed pairs.
#pragma once

#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/fabric/circuits/provision/topology/topology_finder.h"
#include "loom/workload/workload.h"

namespace loom::plan {

struct MutableTraffic {
  fabric::TopologyDemand demand;
  // For each entry of the workload's groups: index of its first group in the demand (its other
  // groups follow); -1 if none of its traffic is mutable.
  std::vector<int> first_group;
};

MutableTraffic mutable_traffic(const workload::Workload& workload);

// Whether a ring with any order of the ranks can perform the collective.
bool is_mutable(const workload::Collective& collective, int ranks);

// Makes mutable collectives use the rings found for their groups.
void put_on_rings(const MutableTraffic& traffic, const std::vector<fabric::GroupRings>& rings,
                  workload::Workload& workload);

// Provisions circuits for a workload by the rules of the fabric. If these find topologies, mutable
// collectives use the rings found.
fabric::CircuitSetup provision_workload(const fabric::CircuitFabric& fabric,
                                        workload::Workload& workload);

}  // namespace loom::plan
