#include "loom/plan/topoopt/topology_provider.h"

#include <algorithm>

#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

workload::Algorithm algorithm_of(workload::CollectiveKind kind,
                                 std::optional<workload::Algorithm> asked) {
  const std::vector<workload::Algorithm> can = algorithms_for(kind);
  const bool can_do = asked && *asked != workload::Algorithm::rings &&
                      *asked != workload::Algorithm::hierarchical &&
                      std::find(can.begin(), can.end(), *asked) != can.end();
  return can_do ? *asked : can.front();
}

}  // namespace

workload::Collective TopologyProvider::choose(const workload::Collective& wanted,
                                              const workload::Groups& /*groups*/) {
  workload::Collective chosen = wanted;
  chosen.algorithm = algorithm_of(wanted.kind, algorithm_);
  return chosen;
}

Duration TopologyProvider::lower_bound(const place::LoweredJob& lowered) const {
  return lower_bound_on(fabric_, demand_of(lowered.workload, [&](std::size_t o) {
                          return lowered.tags[o].iteration == lowered.iterations - 1;
                        }));
}

MappedJob TopologyProvider::map(place::LoweredJob lowered) const {
  fabric::CircuitSetup setup = provision_workload(fabric_, lowered.workload);
  return {std::move(lowered), std::make_shared<fabric::Network>(std::move(setup.network)),
          std::move(setup.provisioned), std::move(setup.infeasible)};
}

std::unique_ptr<NetworkProvider> circuit_provider(const fabric::CircuitFabric& fabric,
                                                  std::optional<workload::Algorithm> algorithm,
                                                  LayoutEffort effort) {
  if (fabric.topology) return std::make_unique<TopologyProvider>(fabric, algorithm);
  fabric::CircuitFabric estimated = fabric;
  if (fabric.reconfigure == fabric::Reconfigure::periodic && !fabric.packets) {
    estimated.forwarding = true;
    if (!estimated.provisioner->connects) estimated.provisioner = &fabric::kMaxMin;
  }
  return std::make_unique<CircuitProvider>(std::move(estimated), algorithm, effort);
}

}  // namespace loom::plan
