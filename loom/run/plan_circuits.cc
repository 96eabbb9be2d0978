#include "loom/run/plan_circuits.h"

#include "loom/fabric/circuits/control/periodic.h"
#include "loom/fabric/circuits/provision/provision.h"
#include "loom/plan/circuits/provision_workload.h"
#include "loom/workload/demand.h"

namespace loom::run {
namespace {

bool begins_at_once(const workload::Workload& workload, std::size_t operation) {
  return workload.operations[operation].start.count() == 0 && workload.waits_for(operation).empty();
}

}  // namespace

// A pair without a circuit waits until it gets one. Devices forward only with `unserved: forward`,
// or if no circuit can ever serve some pair.
std::variant<PeriodicCircuits, Infeasible> plan_periodic(fabric::CircuitFabric fabric,
                                                         const workload::Workload& workload,
                                                         bool trains) {
  const workload::Demand demand = demand_of(workload);
  const auto never = never_served(fabric, demand);
  fabric::Provisioned provisioned;
  if (!never) {
    fabric.forwarding = fabric.unserved == fabric::Unserved::forward;
    provisioned = provision(fabric, demand_of(workload, [&](std::size_t o) {
                              return trains || begins_at_once(workload, o);
                            }));
  } else if (!fabric.forwarding) {
    return Infeasible{never->why + ", and devices do not forward; forwarding is needed"};
  } else {
    fabric::CircuitSetup setup = provision_network(fabric, demand);
    if (setup.infeasible) return std::move(*setup.infeasible);
    provisioned = std::move(setup.provisioned);
  }
  fabric::Network network = circuit_network(fabric, pairs_of(fabric, demand, provisioned.circuits));
  return PeriodicCircuits{{std::move(fabric), std::move(provisioned), {}}, std::move(network)};
}

PlannedOrNot plan_given(workload::Workload workload, const Fabric& fabric, WorkPlan work) {
  if (fabric.network() != nullptr) {
    return PlannedWork{*fabric.network(), std::move(workload), std::nullopt, std::move(work)};
  }
  const fabric::CircuitFabric& circuits = *fabric.circuits();
  fabric::CircuitSetup setup = plan::provision_workload(circuits, workload);
  if (circuits.reconfigure == fabric::Reconfigure::periodic) {
    auto periodic = plan_periodic(circuits, workload, false);
    if (auto* no = std::get_if<Infeasible>(&periodic)) return Unplanned{*no, std::move(work)};
    auto& found = std::get<PeriodicCircuits>(periodic);
    return PlannedWork{std::move(found.network), std::move(workload), std::move(found.circuits),
                       std::move(work)};
  }
  if (setup.infeasible) {
    return Unplanned{std::move(*setup.infeasible), std::move(work)};
  }
  return PlannedWork{std::move(setup.network), std::move(workload),
                     PlannedCircuits{circuits, std::move(setup.provisioned), {}}, std::move(work)};
}

}  // namespace loom::run
