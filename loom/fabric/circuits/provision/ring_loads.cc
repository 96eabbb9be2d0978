#include "loom/fabric/circuits/provision/ring_loads.h"

#include <algorithm>

namespace loom::fabric {

int segments_of(const RingLimits& limits) { return limits.reuse ? limits.devices : 1; }

Arc arc_of(const RingLimits& limits, int from, int to, int direction) {
  if (!limits.reuse) return {.first = 0, .length = 1};
  return {.first = direction == kClockwise ? from : to, .length = limits.arc(from, to, direction)};
}

std::vector<int> directions_of(const RingLimits& limits, int from, int to) {
  const int shorter = limits.arc(from, to, kClockwise) <= limits.arc(from, to, kCounterclockwise)
                          ? kClockwise
                          : kCounterclockwise;
  std::vector<int> directions;
  for (const int direction : {shorter, 1 - shorter}) {
    if (limits.reaches(from, to, direction)) directions.push_back(direction);
  }
  return directions;
}

RingLoads::RingLoads(const RingLimits& limits, int capacity)
    : limits_(limits), capacity_(capacity) {
  for (std::vector<int>& it : load_) it.assign(static_cast<std::size_t>(segments_of(limits)), 0);
}

bool RingLoads::take(int from, int to, int direction) {
  const Arc arc = arc_of(limits_, from, to, direction);
  const std::vector<int>& load = load_[static_cast<std::size_t>(direction)];
  const int segments = static_cast<int>(load.size());
  for (int step = 0, at = arc.first; step < arc.length; ++step) {
    if (load[at] >= capacity_) return false;
    if (++at == segments) at = 0;
  }
  add(from, to, direction, 1);
  return true;
}

void RingLoads::add(int from, int to, int direction, int circuits) {
  const Arc arc = arc_of(limits_, from, to, direction);
  std::vector<int>& load = load_[static_cast<std::size_t>(direction)];
  const int segments = static_cast<int>(load.size());
  for (int step = 0, at = arc.first; step < arc.length; ++step) {
    load[at] += circuits;
    if (++at == segments) at = 0;
  }
}

int RingLoads::max() const {
  int max = 0;
  for (const std::vector<int>& it : load_) {
    for (const int load : it) max = std::max(max, load);
  }
  return max;
}

RingCounts::RingCounts(const RingLimits& limits, const workload::Demand& demand, int capacity)
    : demand_(demand), loads_(limits, capacity), split_(demand.size(), Split{}) {
  for (const workload::PairDemand& it : demand)
    directions_.push_back(directions_of(limits, it.from, it.to));
}

bool RingCounts::take(int pair) {
  for (const int direction : directions_[pair]) {
    if (!loads_.take(demand_[pair].from, demand_[pair].to, direction)) continue;
    ++split_[pair][direction];
    return true;
  }
  return false;
}

void RingCounts::set(const std::vector<Split>& split) {
  split_ = split;
  for (std::size_t i = 0; i < demand_.size(); ++i) {
    for (const int direction : directions_[i]) {
      loads_.add(demand_[i].from, demand_[i].to, direction, split[i][direction]);
    }
  }
}

bool RingCounts::has_direction_choice() const {
  return std::any_of(directions_.begin(), directions_.end(),
                     [](const auto& it) { return it.size() == 2; });
}

}  // namespace loom::fabric
