#include "loom/plan/topoopt/job_topology.h"

#include <map>
#include <utility>

#include "loom/base/error.h"
#include "loom/fabric/circuits/topology_network.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/plan/topoopt/co_optimize.h"

namespace loom::plan {

ProvidedNetwork topology_for(const fabric::CircuitFabric& fabric, const place::LoweredJob& job) {
  LOOM_CHECK(fabric.topology && fabric.forwarding, "topologies are found, and devices forward");
  fabric::CircuitFabric connected = fabric;
  connected.topology->options.connect_all = true;
  MutableTraffic traffic = mutable_traffic(job.workload);
  traffic.demand.devices = fabric.devices();
  fabric::TopologySetup found = provision_topology(connected, traffic.demand);
  std::map<std::vector<int>, std::vector<int>> steps;  // ring steps by members
  for (const fabric::GroupRings& it : found.topology.rings) {
    steps[traffic.demand.groups[static_cast<std::size_t>(it.group)].members] = it.steps;
  }
  ProvidedNetwork provided;
  provided.choose = [steps = std::move(steps)](const workload::Collective& wanted,
                                               const workload::Groups& groups) {
    workload::Collective chosen = plain_ring(wanted, groups);
    const auto known = steps.find(groups.members);
    if (known == steps.end() || !is_mutable(chosen, groups.size)) return chosen;
    if (known->second == std::vector<int>{1}) return chosen;
    chosen.algorithm = workload::Algorithm::rings;
    chosen.steps = known->second;
    return chosen;
  };
  provided.network = std::make_shared<fabric::Network>(std::move(found.setup.network));
  provided.provisioned = std::move(found.setup.provisioned);
  provided.infeasible = std::move(found.setup.infeasible);
  return provided;
}

}  // namespace loom::plan
