#include "loom/fabric/circuits/provision/provision.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/fabric/circuits/topology_network.h"
#include "loom/fabric/network/graph.h"

namespace loom::fabric {
namespace {

// Whether every device reaches every other: device 0 reaches all, and all reach it.
bool strongly_connected(const Network& network) {
  const Graph graph = graph_of(network, true);
  const auto all = [](const std::vector<bool>& seen) {
    return std::find(seen.begin(), seen.end(), false) == seen.end();
  };
  const auto reached = [&](bool forward) {
    std::vector<bool> seen(static_cast<std::size_t>(network.devices), false);
    std::vector<NodeId> open = {NodeId(0)};
    seen[0] = true;
    while (!open.empty()) {
      const NodeId node = open.back();
      open.pop_back();
      for (const LinkId link : forward ? graph.leaving(node) : graph.arriving(node)) {
        const auto& edge = graph.links[static_cast<std::size_t>(link)];
        const NodeId next = forward ? edge.to : edge.from;
        if (seen[static_cast<std::size_t>(next)]) continue;
        seen[static_cast<std::size_t>(next)] = true;
        open.push_back(next);
      }
    }
    return seen;
  };
  return all(reached(true)) && all(reached(false));
}

// Provisions a fabric with a packet switch: only pairs with at least `threshold` bytes get
// circuits.
Provisioned provision_large(const CircuitFabric& fabric, const workload::Demand& demand) {
  workload::Demand large;
  workload::Demand small;
  for (const workload::PairDemand& it : demand) {
    (it.bytes >= fabric.packets->threshold ? large : small).push_back(it);
  }
  CircuitFabric optical = fabric;
  optical.packets.reset();
  Provisioned result = provision(optical, large);
  if (small.empty()) return result;
  result.rate = 0;
  result.unserved.insert(result.unserved.end(), small.begin(), small.end());
  std::sort(result.unserved.begin(), result.unserved.end());
  return result;
}

// The reason why a pair has no path, and the change that would give it one.
std::string why_unreachable(const CircuitFabric& fabric, const workload::PairDemand& pair) {
  const auto* ocs = std::get_if<OcsLimits>(&fabric.limits);
  for (const int device : {pair.from, pair.to}) {
    if (ocs == nullptr || ocs->share_a_switch(device, device)) continue;
    return fmt::format("the wiring has device {} on no switch; a row for it is needed", device);
  }
  if (!fabric.forwarding) return "devices do not forward; forwarding is needed";
  if (!fabric.provisioner->connects) {
    return "no path over other devices exists; provisioner: max_min is needed";
  }
  return "no path over other devices exists; a longer reach, or more wavelengths or switches, is "
         "needed";
}

}  // namespace

Provisioned provision(const CircuitFabric& fabric, const workload::Demand& demand) {
  if (fabric.packets) return provision_large(fabric, demand);
  if (fabric.topology) {
    return provision_topology(fabric, {fabric.devices(), {}, demand}).setup.provisioned;
  }
  return fabric.provisioner->provision(fabric.limits, demand, fabric.forwarding);
}

CircuitSetup provision_network(const CircuitFabric& fabric, const workload::Demand& demand) {
  if (fabric.topology) return provision_topology(fabric, {fabric.devices(), {}, demand}).setup;
  CircuitSetup setup;
  setup.provisioned = provision(fabric, demand);
  setup.network = circuit_network(fabric, by_pair(setup.provisioned.circuits));
  const workload::Demand& unserved = setup.provisioned.unserved;
  if (unserved.empty() || fabric.packets ||
      (fabric.forwarding && strongly_connected(setup.network)))
    return setup;
  for (const workload::PairDemand& it : unserved) {
    Route route;
    if (setup.network.router->find(DeviceId(it.from), DeviceId(it.to), 0, {}, route)) continue;
    setup.infeasible = Infeasible{
        fmt::format("{} of {} pairs that exchange data have no circuit, such as {} -> {}, and {}",
                    unserved.size(), demand.size(), it.from, it.to, why_unreachable(fabric, it))};
    break;
  }
  return setup;
}

}  // namespace loom::fabric
