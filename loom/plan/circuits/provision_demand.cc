#include "loom/plan/circuits/provision_demand.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "loom/fabric/circuits/topology_network.h"
#include "loom/fabric/circuits/transit_provisioning.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

constexpr std::size_t kMaxSimulatedPairs = 1'000;  // so that a simulation takes milliseconds
constexpr std::size_t kMaxPairs = 20'000;

double seconds_at_once(const fabric::Network& network, const workload::Demand& demand) {
  workload::Workload workload;
  workload.devices = network.devices;
  for (const workload::PairDemand& it : demand) {
    workload.operations.push_back({.source = it.from, .destination = it.to, .size = it.bytes});
  }
  return seconds(simulate::simulate_fluid(workload, network, {}, {}).completion_time);
}

// Index of the setup that delivers the demand first. No network is faster than its busiest link, so
// only those that may be fastest are simulated, the most promising first.
std::size_t fastest(std::span<const fabric::CircuitSetup> setups, const workload::Demand& demand) {
  using Candidate = std::pair<double, std::size_t>;  // time of the busiest link, index
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < setups.size(); ++i) {
    candidates.emplace_back(fabric::busiest_link_time(setups[i].network, demand), i);
  }
  std::sort(candidates.begin(), candidates.end());
  if (demand.size() > kMaxSimulatedPairs) return candidates.front().second;
  Candidate best{std::numeric_limits<double>::infinity(), 0};
  for (const auto& [bound, i] : candidates) {
    if (bound >= best.first) break;
    best = std::min(best, {seconds_at_once(setups[i].network, demand), i});
  }
  return best.second;
}

}  // namespace

fabric::CircuitSetup provision_demand(const fabric::CircuitFabric& fabric,
                                      const workload::Demand& demand) {
  fabric::CircuitSetup setup = provision_network(fabric, demand);
  const bool forwarded = !setup.infeasible && !setup.provisioned.unserved.empty() &&
                         fabric.forwarding && !fabric.packets && !fabric.topology;
  if (!forwarded || !fabric.provisioner->connects || demand.size() > kMaxPairs) return setup;
  std::vector<fabric::CircuitSetup> all = provision_for_transit(fabric, demand, setup);
  all.insert(all.begin(), std::move(setup));
  return std::move(all[fastest(all, demand)]);
}

}  // namespace loom::plan
