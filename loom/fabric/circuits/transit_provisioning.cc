#include "loom/fabric/circuits/transit_provisioning.h"

#include <algorithm>
#include <map>
#include <utility>

#include "loom/fabric/circuits/provision/topology/ring_steps.h"

namespace loom::fabric {
namespace {

workload::Demand demand_from(const std::map<std::pair<int, int>, Int128>& bytes) {
  constexpr Int128 kMaxBytes = std::int64_t{1} << 62;
  workload::Demand demand;
  for (const auto& [pair, sum] : bytes) {
    const auto count = static_cast<std::int64_t>(std::min(sum, kMaxBytes));
    if (count > 0) demand.push_back({pair.first, pair.second, {count}});
  }
  return demand;
}

// Demand between neighbors if every byte travels hop by hop around the ring, in the shorter
// direction.
workload::Demand by_neighbors(const RingLimits& ring, const workload::Demand& demand) {
  std::map<std::pair<int, int>, Int128> bytes;
  const auto go = [&](const workload::PairDemand& it, int direction, std::int64_t count) {
    const int step = direction == kClockwise ? 1 : ring.devices - 1;
    for (int at = it.from; at != it.to; at = (at + step) % ring.devices) {
      bytes[{at, (at + step) % ring.devices}] += count;
    }
  };
  for (const workload::PairDemand& it : demand) {
    const int clockwise = ring.arc(it.from, it.to, kClockwise);
    const int back = ring.devices - clockwise;
    const bool unidirectional = ring.directions == 1;
    const std::int64_t half = it.bytes.count / 2;
    if (unidirectional || clockwise < back) {
      go(it, kClockwise, it.bytes.count);
    } else if (back < clockwise) {
      go(it, kCounterclockwise, it.bytes.count);
    } else {
      go(it, kClockwise, it.bytes.count - half);
      if (half > 0) go(it, kCounterclockwise, half);
    }
  }
  return demand_from(bytes);
}

// Circuits that form a circulant graph: one per device and step.
std::vector<PairCircuits> circulant_circuits(int devices, int circuits) {
  const ChosenSteps chosen = choose_steps(devices, circuits, false, StepChoice::geometric);
  std::map<std::pair<int, int>, int> counts;
  for (int from = 0; from < devices; ++from) {
    for (const int step : chosen.steps) ++counts[{from, (from + step) % devices}];
  }
  std::vector<PairCircuits> pairs;
  for (const auto& [pair, count] : counts) pairs.push_back({pair.first, pair.second, count});
  return pairs;
}

// Demand per link if all traffic takes multi-hop paths over ring neighbors or a circulant graph.
workload::Demand multihop_demand(const CircuitFabric& fabric, const workload::Demand& demand) {
  if (const auto* ring = std::get_if<RingLimits>(&fabric.limits)) {
    return by_neighbors(*ring, demand);
  }
  const auto& ocs = std::get<OcsLimits>(fabric.limits);
  if (!ocs.wiring.empty() || ocs.devices < 3) return {};
  const Network network = circuit_network(fabric, circulant_circuits(ocs.devices, ocs.switches));
  return link_demand(network, demand);
}

workload::Demand without_circuits(const workload::Demand& demand, const Circuits& circuits) {
  const std::vector<PairCircuits> pairs = by_pair(circuits);
  workload::Demand without;
  for (const workload::PairDemand& it : demand) {
    const auto at = std::lower_bound(pairs.begin(), pairs.end(), PairCircuits{it.from, it.to, 0});
    const bool served = at != pairs.end() && at->from == it.from && at->to == it.to;
    if (!served) without.push_back(it);
  }
  return without;
}

bool all_reachable(const Network& network, const workload::Demand& demand) {
  return std::all_of(demand.begin(), demand.end(), [&](const workload::PairDemand& it) {
    Route route;
    return network.router->find(DeviceId(it.from), DeviceId(it.to), 0, {}, route);
  });
}

}  // namespace

workload::Demand link_demand(const Network& network, const workload::Demand& demand) {
  std::vector<Int128> bytes(network.links.size(), 0);
  for (const workload::PairDemand& it : demand) {
    Route route;
    if (!network.router->find(DeviceId(it.from), DeviceId(it.to), 0, {}, route)) continue;
    for (const Hop& hop : route.hops) {
      bytes[static_cast<std::size_t>(hop.link)] += Int128{it.bytes.count} * hop.share;
    }
  }
  std::map<std::pair<int, int>, Int128> pairs;
  for (std::size_t l = 0; l < bytes.size(); ++l) {
    const Link& link = network.links[l];
    pairs[{link.from, link.to}] += (bytes[l] + kWhole - 1) / kWhole;
  }
  return demand_from(pairs);
}

std::vector<CircuitSetup> provision_for_transit(const CircuitFabric& fabric,
                                                const workload::Demand& demand,
                                                const CircuitSetup& setup) {
  std::vector<CircuitSetup> others;
  const auto provision_for = [&](const workload::Demand& asked) {
    if (asked.empty()) return false;
    CircuitSetup other;
    other.provisioned = provision(fabric, asked);
    other.network = circuit_network(fabric, by_pair(other.provisioned.circuits));
    if (!all_reachable(other.network, demand)) return false;
    other.provisioned.unserved = without_circuits(demand, other.provisioned.circuits);
    other.provisioned.rate = 0;
    other.provisioned.bound = setup.provisioned.bound;
    others.push_back(std::move(other));
    return true;
  };
  const auto provision_again = [&] {
    const Network last = others.back().network;
    provision_for(link_demand(last, demand));
  };
  if (provision_for(link_demand(setup.network, demand))) provision_again();
  if (provision_for(multihop_demand(fabric, demand))) provision_again();
  return others;
}

}  // namespace loom::fabric
