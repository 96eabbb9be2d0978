#include "loom/fabric/circuits/control/periodic.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace loom::fabric {
namespace {

// Circuits for the demand next to a packet switch. Only pairs with a link of their own in the
// network get circuits, and such a pair may get circuits until its last byte is sent, even if fewer
// bytes are left than the threshold.
Circuits circuits_with_packets(const CircuitFabric& fabric, const Network& network,
                               const workload::Demand& demand) {
  const auto known = [&](const workload::PairDemand& pair) {
    return std::binary_search(network.links.begin(), network.links.end(),
                              Link{NodeId(pair.from), NodeId(pair.to), {}},
                              [](const Link& a, const Link& b) {
                                return std::pair(a.from, a.to) < std::pair(b.from, b.to);
                              });
  };
  workload::Demand eligible;
  std::copy_if(demand.begin(), demand.end(), std::back_inserter(eligible), known);
  CircuitFabric optical = fabric;
  optical.packets.reset();
  return provision(optical, eligible).circuits;
}

}  // namespace

void PeriodicControl::restart() {
  current_ = first_;
  next_ = TimePoint(fabric_.period);
  changes_ = 0;
}

// Circuits provisioned for ready messages stay until one of these messages has had time to be sent.
// This prevents endless switching without progress, however short the period.
std::optional<CircuitChange> PeriodicControl::decide(TimePoint now, bool idle,
                                                     const Waiting& waiting) {
  if (now >= next_) next_ = add(now, fabric_.period);
  const workload::Demand all = waiting.outstanding();
  std::optional<CircuitChange> change;
  if (!all.empty()) change = move_to(circuits_for(all));
  if (change || !idle) return change;
  const workload::Demand ready = waiting.ready();
  const Circuits next = circuits_for(ready);
  const std::optional<Duration> latency = soonest(ready, next);
  if (!latency) return std::nullopt;
  next_ = add(now, add(fabric_.period, *latency));
  return move_to(next);
}

Circuits PeriodicControl::circuits_for(const workload::Demand& demand) const {
  return fabric_.packets ? circuits_with_packets(fabric_, network_, demand)
                         : provision(fabric_, demand).circuits;
}

// Latency of the first pair that can send over these circuits.
std::optional<Duration> PeriodicControl::soonest(const workload::Demand& demand,
                                                 const Circuits& circuits) const {
  std::vector<bool> down;
  for (const Bandwidth it : link_bandwidths(fabric_, network_, circuits)) {
    down.push_back(it.bits_per_second == 0);
  }
  for (const workload::PairDemand& it : demand) {
    Route route;
    if (network_.router->find(DeviceId(it.from), DeviceId(it.to), 0, down, route))
      return route.latency;
  }
  return std::nullopt;
}

std::optional<CircuitChange> PeriodicControl::move_to(Circuits next) {
  CircuitChange change = change_between(fabric_, network_, current_, next);
  current_ = std::move(next);
  if (change.switching.empty() && change.switched.empty()) return std::nullopt;
  ++changes_;
  return change;
}

std::vector<PairCircuits> pairs_of(const CircuitFabric& fabric, const workload::Demand& demand,
                                   const Circuits& circuits) {
  std::map<std::pair<int, int>, int> counts;
  for (const workload::PairDemand& it : demand) {
    const bool large = !fabric.packets || it.bytes >= fabric.packets->threshold;
    if (large) counts[{it.from, it.to}] = 0;
  }
  const int devices = fabric.devices();
  for (int device = 0; fabric.forwarding && devices > 1 && device < devices; ++device) {
    counts[{device, (device + 1) % devices}] = 0;  // neighbor circuits keep all devices connected
    counts[{(device + 1) % devices, device}] = 0;
  }
  for (const PairCircuits& it : by_pair(circuits)) counts[{it.from, it.to}] = it.count;
  std::vector<PairCircuits> pairs;
  pairs.reserve(counts.size());
  for (const auto& it : counts) pairs.push_back({it.first.first, it.first.second, it.second});
  return pairs;
}

}  // namespace loom::fabric
