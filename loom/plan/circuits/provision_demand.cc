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
constexpr int kMaxDevices = 1024;  // to forward although all pairs have circuits

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
std::size_t fastest(std::span<const fabric::CircuitSetup> setups, const workload::Demand& demand,
                    Compare compare) {
  using Candidate = std::pair<double, std::size_t>;  // time of the busiest link, index
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < setups.size(); ++i) {
    candidates.emplace_back(fabric::busiest_link_time(setups[i].network, demand), i);
  }
  std::sort(candidates.begin(), candidates.end());
  if (compare == Compare::by_busiest_link || demand.size() > kMaxSimulatedPairs) {
    return candidates.front().second;
  }
  Candidate best{std::numeric_limits<double>::infinity(), 0};
  for (const auto& [bound, i] : candidates) {
    if (bound >= best.first) break;
    best = std::min(best, {seconds_at_once(setups[i].network, demand), i});
  }
  return best.second;
}

// Whether circuits for each pair leave the busiest link far from what the fabric allows: a pair
// that sends little has a whole circuit, which others need.
bool starves(const fabric::CircuitFabric& fabric, const workload::Demand& demand,
             const fabric::CircuitSetup& setup) {
  constexpr double kNear = 1.05;
  return fabric::busiest_link_time(setup.network, demand) >
         kNear * seconds(lower_bound_on(fabric, demand));
}

}  // namespace

fabric::CircuitSetup provision_demand(const fabric::CircuitFabric& fabric,
                                      const workload::Demand& demand, Compare compare) {
  std::vector<fabric::CircuitSetup> all = setups_for(fabric, demand);
  return std::move(all[all.size() == 1 ? 0 : fastest(all, demand, compare)]);
}

std::vector<fabric::CircuitSetup> setups_for(const fabric::CircuitFabric& fabric,
                                             const workload::Demand& demand) {
  std::vector<fabric::CircuitSetup> all = {provision_network(fabric, demand)};
  const fabric::CircuitSetup& direct = all.front();
  const bool may_forward = !direct.infeasible && fabric.forwarding && !fabric.packets &&
                           !fabric.topology && fabric.provisioner->connects &&
                           demand.size() <= kMaxPairs;
  if (!may_forward) return all;
  const bool served = direct.provisioned.unserved.empty();
  if (served && (fabric.devices() > kMaxDevices || !starves(fabric, demand, direct))) return all;
  for (fabric::CircuitSetup& it :
       provision_for_transit(fabric, demand, fabric::CircuitSetup(direct)))
    all.push_back(std::move(it));
  return all;
}

}  // namespace loom::plan
