#include "loom/fabric/circuits/provision/arc_packing.h"

#include <algorithm>
#include <numeric>

#include "loom/fabric/circuits/provision/held_arcs.h"

namespace loom::fabric {
namespace {

constexpr int kMaxLaps = 64;

// Arcs held at the end of a lap: they determine how the sweep continues.
using State = std::vector<HeldArcs::Held>;

class Sweep {
 public:
  Sweep(std::span<const ArcGroup> groups, std::span<const int> room)
      : groups_(groups),
        room_(room),
        beginning_(room.size()),
        held_(static_cast<int>(room.size())),
        dropped_(groups.size(), 0) {
    for (int i = 0; i < static_cast<int>(groups.size()); ++i) {
      beginning_[groups[i].arc.first].push_back(i);
    }
  }

  void lap() {
    const int segments = static_cast<int>(room_.size());
    for (int segment = 0; segment < segments; ++segment) {
      held_.leave(segment);
      for (const int group : beginning_[segment]) {
        held_.take((segment + groups_[group].arc.length) % segments, group, groups_[group].count);
      }
      while (held_.count() > room_[segment]) {
        const HeldArcs::Held dropped = held_.drop(segment, held_.count() - room_[segment]);
        dropped_[dropped.group] += dropped.count;
      }
    }
  }

  const std::vector<std::int64_t>& dropped() const { return dropped_; }
  State state() const { return held_.all(); }

 private:
  std::span<const ArcGroup> groups_;
  std::span<const int> room_;
  std::vector<std::vector<int>> beginning_;  // groups per segment
  HeldArcs held_;
  std::vector<std::int64_t> dropped_;  // arcs per group
};

Packing mean(std::span<const ArcGroup> groups, const std::vector<std::int64_t>& before,
             const std::vector<std::int64_t>& after, std::int64_t laps) {
  Packing packing;
  packing.laps = laps;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    packing.taken.push_back(laps * groups[i].count - (after[i] - before[i]));
    packing.total += packing.taken.back();
  }
  return packing;
}

bool within(const Arc& inner, const Arc& outer, int segments) {
  const int after = (inner.first - outer.first + segments) % segments;
  return after + inner.length <= outer.length;
}

std::vector<int> by_length(std::span<const ArcGroup> groups) {
  std::vector<int> order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return groups[a].arc.length < groups[b].arc.length; });
  return order;
}

// Drops arcs in excess of the total, longest first.
void lower_to(Packing& packing, const std::vector<int>& shortest_first, std::int64_t total) {
  for (std::size_t i = shortest_first.size(); i > 0; --i) {
    std::int64_t& taken = packing.taken[shortest_first[i - 1]];
    const std::int64_t fewer = std::min(taken, packing.total - total * packing.laps);
    taken -= fewer;
    packing.total -= fewer;
  }
}

// Makes one of two nested fractional groups integral, by moving arcs from the outer to the inner.
void settle_nested(Packing& packing, std::span<const ArcGroup> groups,
                   const std::vector<int>& shortest_first, int segments) {
  std::vector<int> fractional;
  for (const int group : shortest_first) {
    if (packing.taken[group] % packing.laps != 0) fractional.push_back(group);
  }
  for (std::size_t i = 0; i < fractional.size(); ++i) {
    std::int64_t& inner = packing.taken[fractional[i]];
    for (std::size_t j = i + 1; j < fractional.size() && inner % packing.laps != 0; ++j) {
      std::int64_t& outer = packing.taken[fractional[j]];
      if (!within(groups[fractional[i]].arc, groups[fractional[j]].arc, segments)) continue;
      const std::int64_t moved =
          std::min(packing.laps - inner % packing.laps, outer % packing.laps);
      inner += moved;
      outer -= moved;
    }
  }
}

}  // namespace

std::optional<Packing> pack_arcs(std::span<const ArcGroup> groups, std::span<const int> room,
                                 std::int64_t& work) {
  Sweep sweep(groups, room);
  std::vector<State> states;
  std::vector<std::vector<std::int64_t>> dropped;
  for (int lap = 0; lap < kMaxLaps && work > 0; ++lap) {
    sweep.lap();
    work -= static_cast<std::int64_t>(groups.size() + room.size());
    const State state = sweep.state();
    const auto same = std::find(states.begin(), states.end(), state);
    if (same != states.end()) {
      const std::int64_t laps = states.end() - same;
      return mean(groups, dropped[dropped.size() - static_cast<std::size_t>(laps)], sweep.dropped(),
                  laps);
    }
    states.push_back(state);
    dropped.push_back(sweep.dropped());
  }
  return std::nullopt;
}

std::vector<int> rounded(Packing packing, std::span<const ArcGroup> groups, int segments,
                         std::int64_t total) {
  const std::vector<int> shortest_first = by_length(groups);
  lower_to(packing, shortest_first, total);
  settle_nested(packing, groups, shortest_first, segments);
  std::vector<int> order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return groups[a].arc.first < groups[b].arc.first; });
  std::vector<int> counts(groups.size());
  std::int64_t sum = 0;  // of the fractional remainders, in units of 1/laps
  for (const int group : order) {
    const std::int64_t before = sum / packing.laps;
    sum += packing.taken[group] % packing.laps;
    counts[group] =
        static_cast<int>(packing.taken[group] / packing.laps + sum / packing.laps - before);
  }
  return counts;
}

}  // namespace loom::fabric
