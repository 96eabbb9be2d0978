#include "loom/fabric/control/periodic.h"

#include <map>

namespace loom {

void PeriodicControl::restart() {
  lit_ = first_;
  next_ = fabric_.period;
  changes_ = 0;
}

std::optional<CircuitChange> PeriodicControl::decide(Duration now, bool /*idle*/,
                                                     const Waiting& waiting) {
  if (now >= next_) next_ = add(now, fabric_.period);
  const Demand demand = waiting.outstanding();
  if (demand.empty()) return std::nullopt;
  Circuits next = provision(fabric_, demand).circuits;
  CircuitChange change = change_between(fabric_, network_, lit_, next);
  lit_ = std::move(next);
  if (change.dark.empty() && change.lit.empty()) return std::nullopt;
  ++changes_;
  return change;
}

std::vector<PairCircuits> pairs_of(const CircuitFabric& fabric, const Demand& demand,
                                   const Circuits& lit) {
  std::map<std::pair<int, int>, int> counts;
  for (const PairDemand& it : demand) counts[{it.from, it.to}] = 0;
  const int devices = fabric.devices();
  for (int device = 0; fabric.forwarding && devices > 1 && device < devices; ++device) {
    counts[{device, (device + 1) % devices}] = 0;  // what keeps the rest in reach
    counts[{(device + 1) % devices, device}] = 0;
  }
  for (const PairCircuits& it : by_pair(lit)) counts[{it.from, it.to}] = it.count;
  std::vector<PairCircuits> pairs;
  pairs.reserve(counts.size());
  for (const auto& it : counts) pairs.push_back({it.first.first, it.first.second, it.second});
  return pairs;
}

}  // namespace loom
