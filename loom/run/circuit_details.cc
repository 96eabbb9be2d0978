#include "loom/run/circuit_details.h"

#include <algorithm>

namespace loom::run {
namespace {

// The wavelengths of a ring, or the ports on circuit switches. The egress bandwidth may allow
// fewer.
std::vector<int> ports_of(const fabric::CircuitFabric& fabric) {
  std::vector<int> ports;
  if (const auto* switches = std::get_if<fabric::OcsLimits>(&fabric.limits)) {
    ports = switches->ports_of_devices();
  } else {
    const auto& ring = std::get<fabric::RingLimits>(fabric.limits);
    ports.assign(static_cast<std::size_t>(ring.devices), ring.directions * ring.colors());
  }
  if (fabric.circuit.bits_per_second == 0) return ports;
  const std::int64_t allowed = fabric.egress.bits_per_second / fabric.circuit.bits_per_second;
  if (allowed < 1) return ports;
  for (int& it : ports) it = static_cast<int>(std::min<std::int64_t>(it, allowed));
  return ports;
}

// Adds the time during which each set is active.
void add_active_times(const CircuitHistory& history, Duration all, std::vector<CircuitSet>& sets) {
  std::size_t set = 0;
  TimePoint since;
  for (const CircuitSwitch& it : history.switches) {
    sets[set].active += it.start - since;
    set = it.set;
    since = it.end;
  }
  if (elapsed(since) < all) sets[set].active += all - elapsed(since);
}

std::vector<CircuitSet> sets_of(const PlannedCircuits& circuits, const CircuitHistory& history,
                                Duration all) {
  std::vector<CircuitSet> sets;
  if (!circuits.changes()) {
    sets.push_back({"", circuits.provisioned.circuits, 0, all});
    return sets;
  }
  for (const fabric::Circuits& it : history.sets) sets.push_back({"", it, 0, Duration(0)});
  for (std::size_t s = 0; circuits.phases && s < circuits.phases->sets.size(); ++s) {
    sets.push_back({circuits.phases->names[s], circuits.phases->sets[s], s, Duration(0)});
  }
  add_active_times(history, all, sets);
  return sets;
}

}  // namespace

CircuitDetails circuit_details(const Plan& plan, const simulate::Outcome& outcome,
                               const CircuitHistory& history) {
  const PlannedCircuits& circuits = *plan.circuits;
  CircuitDetails details;
  details.limits = circuits.fabric.limits;
  details.ports = ports_of(circuits.fabric);
  details.circuit = circuits.fabric.circuit;
  details.switch_time = circuits.fabric.switch_time;
  details.traffic = circuit_traffic(plan, outcome.link_bytes);
  details.sets = sets_of(circuits, history, outcome.completion_time);
  details.switches = history.switches;
  details.complete = history.complete;
  details.to = TimePoint(outcome.completion_time);
  return details;
}

}  // namespace loom::run
