#include "loom/fabric/provision/arc_packing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace loom {
namespace {

constexpr int kMostLaps = 64;

class Sweep {
 public:
  Sweep(std::span<const ArcGroup> groups, std::span<const int> room)
      : groups_(groups), room_(room) {
    beginning_.resize(room.size());
    for (int i = 0; i < static_cast<int>(groups.size()); ++i) {
      beginning_[groups[i].arc.first].push_back(i);
    }
    dropped_.assign(groups.size(), 0);
  }

  void lap() {
    for (int segment = 0; segment < static_cast<int>(room_.size()); ++segment) step(segment);
    std::map<Key, Held> next;
    const int segments = static_cast<int>(room_.size());
    for (const auto& it : held_) {
      next.emplace_hint(next.end(), Key{it.first.first - segments, it.first.second}, it.second);
    }
    held_ = std::move(next);
  }

  const std::vector<std::int64_t>& dropped() const { return dropped_; }

  // All that decides how the sweep goes on.
  std::vector<std::tuple<int, int, int>> state() const {
    std::vector<std::tuple<int, int, int>> state;
    for (const auto& it : held_) {
      state.emplace_back(it.first.first, it.second.group, it.second.count);
    }
    return state;
  }

 private:
  using Key = std::pair<int, int>;  // the end, counted from this lap's cut, and the length
  struct Held {
    int group = 0;
    int count = 0;
  };

  void step(int segment) {
    while (!held_.empty() && held_.begin()->first.first <= segment) {
      load_ -= held_.begin()->second.count;
      held_.erase(held_.begin());
    }
    for (const int group : beginning_[segment]) {
      const Arc& arc = groups_[group].arc;
      held_.insert({{segment + arc.length, arc.length}, {group, groups_[group].count}});
      load_ += groups_[group].count;
    }
    while (load_ > room_[segment]) {
      const auto furthest = std::prev(held_.end());
      const int fewer = std::min(load_ - room_[segment], furthest->second.count);
      furthest->second.count -= fewer;
      dropped_[furthest->second.group] += fewer;
      load_ -= fewer;
      if (furthest->second.count == 0) held_.erase(furthest);
    }
  }

  std::span<const ArcGroup> groups_;
  std::span<const int> room_;
  std::vector<std::vector<int>> beginning_;  // by segment: the groups
  std::map<Key, Held> held_;
  std::vector<std::int64_t> dropped_;  // by group
  int load_ = 0;
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

// Takes away what is more than the total, from the longest arcs first.
void lower_to(Packing& packing, const std::vector<int>& shortest_first, std::int64_t total) {
  for (auto it = shortest_first.rbegin(); it != shortest_first.rend(); ++it) {
    const std::int64_t fewer = std::min(packing.taken[*it], packing.total - total * packing.laps);
    packing.taken[*it] -= fewer;
    packing.total -= fewer;
  }
}

// Makes one of two fractional groups whole where one lies within the other.
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
  std::vector<std::vector<std::tuple<int, int, int>>> states;
  std::vector<std::vector<std::int64_t>> dropped;
  for (int lap = 0; lap < kMostLaps && work > 0; ++lap) {
    sweep.lap();
    work -= static_cast<std::int64_t>(groups.size() + room.size());
    const auto state = sweep.state();
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
  std::int64_t sum = 0;  // of the fractional parts, in laps
  for (const int group : order) {
    const std::int64_t before = sum / packing.laps;
    sum += packing.taken[group] % packing.laps;
    counts[group] =
        static_cast<int>(packing.taken[group] / packing.laps + sum / packing.laps - before);
  }
  return counts;
}

}  // namespace loom
