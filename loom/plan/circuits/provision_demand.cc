#include "loom/plan/circuits/provision_demand.h"

#include <utility>

#include "loom/fabric/circuits/topology_network.h"
#include "loom/fabric/circuits/transit_provisioning.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

constexpr std::size_t kMaxSimulatedPairs = 1'000;  // so that a simulation takes milliseconds
constexpr std::size_t kMaxPairs = 100'000;

double seconds_at_once(const fabric::Network& network, const workload::Demand& demand) {
  workload::Workload workload;
  workload.devices = network.devices;
  for (const workload::PairDemand& it : demand) {
    workload.operations.push_back({.source = it.from, .destination = it.to, .size = it.bytes});
  }
  return seconds(simulate::simulate_fluid(workload, network, {}, {}).completion_time);
}

}  // namespace

fabric::CircuitSetup provision_demand(const fabric::CircuitFabric& fabric,
                                      const workload::Demand& demand) {
  fabric::CircuitSetup setup = provision_network(fabric, demand);
  const bool forwarded = !setup.infeasible && !setup.provisioned.unserved.empty() &&
                         fabric.forwarding && !fabric.packets && !fabric.topology;
  if (!forwarded || !fabric.provisioner->connects || demand.size() > kMaxPairs) return setup;
  const auto seconds_on = [&](const fabric::Network& network) {
    return demand.size() <= kMaxSimulatedPairs ? seconds_at_once(network, demand)
                                               : fabric::busiest_link_time(network, demand);
  };
  double best = seconds_on(setup.network);
  for (fabric::CircuitSetup& other : provision_for_transit(fabric, demand, setup)) {
    const double seconds = seconds_on(other.network);
    if (seconds >= best) continue;
    best = seconds;
    setup = std::move(other);
  }
  return setup;
}

}  // namespace loom::plan
