#include "loom/run/circuit_report.h"

#include <algorithm>

namespace loom::run {

namespace {

void add_loss_budget(const PlannedCircuits& circuits, const fabric::RingLimits& ring,
                     CircuitReport& result) {
  if (!circuits.fabric.loss_budget) return;
  result.loss_budget = circuits.fabric.loss_budget;
  result.unamplified_reach = reach(*circuits.fabric.loss_budget);
  for (const fabric::Circuit& it : circuits.provisioned.circuits) {
    const int arc = ring.arc(it.from, it.to, it.plane % 2);
    result.longest = std::max(result.longest, arc);
    if (arc > result.unamplified_reach) ++result.amplified;
  }
}

// Adds the diameter and the mean number of hops of the circuits. Runs one breadth-first search per
// device.
void add_distances(const PlannedCircuits& circuits, CircuitReport& result) {
  const int devices = circuits.fabric.devices();
  std::vector<std::vector<int>> next(static_cast<std::size_t>(devices));
  for (const fabric::PairCircuits& it : by_pair(circuits.provisioned.circuits)) {
    next[static_cast<std::size_t>(it.from)].push_back(it.to);
  }
  std::int64_t hops = 0;
  std::int64_t pairs = 0;
  for (int source = 0; source < devices; ++source) {
    std::vector<int> distance(static_cast<std::size_t>(devices), -1);
    std::vector<int> open = {source};
    distance[static_cast<std::size_t>(source)] = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const int here = distance[static_cast<std::size_t>(open[i])];
      for (const int to : next[static_cast<std::size_t>(open[i])]) {
        if (distance[static_cast<std::size_t>(to)] >= 0) continue;
        distance[static_cast<std::size_t>(to)] = here + 1;
        open.push_back(to);
      }
      hops += here;
      result.diameter = std::max(result.diameter, here);
    }
    pairs += static_cast<std::int64_t>(open.size()) - 1;
  }
  if (pairs > 0) result.mean_hops = static_cast<double>(hops) / static_cast<double>(pairs);
}

}  // namespace

CircuitReport circuit_report(const PlannedCircuits& circuits) {
  const fabric::Provisioned& provisioned = circuits.provisioned;
  CircuitReport result;
  result.circuits = static_cast<std::int64_t>(provisioned.circuits.size());
  result.pairs = static_cast<std::int64_t>(by_pair(provisioned.circuits).size());
  result.forwarded = static_cast<std::int64_t>(provisioned.unserved.size());
  result.packets = circuits.fabric.packets.has_value();
  result.waits =
      circuits.fabric.reconfigure == fabric::Reconfigure::periodic && !circuits.fabric.forwarding;
  result.share_of_bound = provisioned.bound > 0 ? provisioned.rate / provisioned.bound : 1;
  if (const auto* ring = std::get_if<fabric::RingLimits>(&circuits.fabric.limits)) {
    result.wavelengths = provisioned.wavelengths;
    result.load = provisioned.load;
    result.colors = ring->colors();
    const Bandwidth all = {std::int64_t{ring->directions} * ring->colors() *
                           circuits.fabric.circuit.bits_per_second};
    if (all < circuits.fabric.egress) result.usable = all;
    add_loss_budget(circuits, *ring, result);
  }
  if (circuits.fabric.finds_rings()) {
    result.ring_ports = provisioned.ring_ports;
    result.ports = circuits.fabric.rules().options.degree;
    result.set_up = circuits.fabric.switch_time;
    add_distances(circuits, result);
  }
  result.search = provisioned.search;
  if (circuits.phases) result.phases = circuits.phases->names;
  return result;
}

}  // namespace loom::run
