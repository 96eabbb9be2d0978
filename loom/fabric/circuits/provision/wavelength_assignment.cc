#include "loom/fabric/circuits/provision/wavelength_assignment.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "loom/fabric/circuits/provision/filling.h"

namespace loom::fabric {
namespace {

// Wavelengths per direction that are reserved to connect neighbors.
int colors_for_neighbors(const RingLimits& limits) {
  const int needed = limits.reuse ? 1 : limits.devices;
  return needed <= limits.colors() ? needed : 0;
}

class WavelengthAssignment {
 public:
  WavelengthAssignment(const RingLimits& limits, const workload::Demand& demand, int capacity)
      : limits_(limits),
        demand_(demand),
        counts_(demand.size(), 0),
        coloring_(static_cast<std::size_t>(limits.directions),
                  ArcColoring(segments_of(limits), capacity)),
        pair_(static_cast<std::size_t>(limits.directions)) {
    for (const workload::PairDemand& it : demand)
      directions_.push_back(directions_of(limits, it.from, it.to));
  }

  void add(int pair, int direction) {
    const workload::PairDemand& it = demand_[pair];
    coloring_[direction].add(arc_of(limits_, it.from, it.to, direction));
    pair_[direction].push_back(pair);
    ++counts_[pair];
  }

  // Counts a circuit of the pair that is not part of the coloring.
  void count_one(int pair) { ++counts_[pair]; }

  void color() {
    for (int direction = 0; direction < limits_.directions; ++direction) {
      coloring_[direction].color_all();
      std::vector<int> unassigned;
      for (int arc = 0; arc < coloring_[direction].arcs(); ++arc) {
        if (coloring_[direction].color(arc) < 0) unassigned.push_back(arc);
      }
      for (const int arc : unassigned) preempt_or_drop(direction, arc);
    }
  }

  void fill() {
    for (const int pair : largest_first(demand_, limits_.devices)) {
      if (counts_[pair] == 0 && raise(pair)) counts_[pair] = 1;
    }
    raise_worst(demand_, counts_, [&](int pair) { return raise(pair); });
  }

  const std::vector<int>& counts() const { return counts_; }

  Circuits circuits() const {
    Circuits result;
    for (int direction = 0; direction < limits_.directions; ++direction) {
      for (int arc = 0; arc < coloring_[direction].arcs(); ++arc) {
        const int color = coloring_[direction].color(arc);
        if (color < 0) continue;
        const workload::PairDemand& it = demand_[pair_[direction][arc]];
        result.push_back({.from = it.from,
                          .to = it.to,
                          .plane = 2 * (color / limits_.wavelengths) + direction,
                          .wavelength = color % limits_.wavelengths});
      }
    }
    return result;
  }

 private:
  // The pair that is served worst if every pair of these arcs loses a circuit.
  int worst_without(int direction, const std::vector<int>& arcs) const {
    int worst = pair_[direction][arcs.front()];
    for (const int arc : arcs) {
      const int pair = pair_[direction][arc];
      if (better_without(worst, pair)) worst = pair;
    }
    return worst;
  }

  bool better_without(int a, int b) const {
    return smaller_share(counts_[b] - 1, demand_[b].bytes, counts_[a] - 1, demand_[a].bytes);
  }

  // Drops an arc without a color, or the arcs that block it in some color, whichever serves
  // the worst-served of the affected pairs best. Drops several blocking arcs only if the pair of
  // `arc` would otherwise lose its last circuit.
  void preempt_or_drop(int direction, int arc) {
    ArcColoring& coloring = coloring_[direction];
    std::vector<int> losers = {arc};
    int worst = pair_[direction][arc];
    const std::size_t max = counts_[worst] > 1 ? 1 : demand_.size();
    for (int color = 0; color < coloring.colors(); ++color) {
      const std::vector<int> others = coloring.conflicting_arcs(arc, color);
      if (others.empty() || others.size() > max) continue;
      const int next = worst_without(direction, others);
      if (!better_without(next, worst)) continue;
      worst = next;
      losers = others;
    }
    if (losers.front() != arc) {
      for (const int it : losers) coloring.remove(it);
      coloring.place(arc);
    }
    for (const int it : losers) {
      const bool found = it != arc && (coloring.place(it) || coloring.place_by_exchange(it));
      if (!found) --counts_[pair_[direction][it]];
    }
  }

  bool raise(int pair) {
    const workload::PairDemand& it = demand_[pair];
    for (const int direction : directions_[pair]) {
      const Arc arc = arc_of(limits_, it.from, it.to, direction);
      if (!coloring_[direction].add_if_free(arc)) continue;
      pair_[direction].push_back(pair);
      return true;
    }
    return false;
  }

  const RingLimits& limits_;
  const workload::Demand& demand_;
  std::vector<int> counts_;
  std::vector<ArcColoring> coloring_;         // per direction
  std::vector<std::vector<int>> pair_;        // per direction and arc
  std::vector<std::vector<int>> directions_;  // possible directions per pair
};

Circuits between_neighbors(const RingLimits& limits) {
  Circuits result;
  for (int direction = 0; direction < limits.directions; ++direction) {
    for (int device = 0; device < limits.devices; ++device) {
      const int step = direction == kClockwise ? 1 : limits.devices - 1;
      const int color = limits.colors() - 1 - (limits.reuse ? 0 : device);
      result.push_back({.from = device,
                        .to = (device + step) % limits.devices,
                        .plane = 2 * (color / limits.wavelengths) + direction,
                        .wavelength = color % limits.wavelengths});
    }
  }
  return result;
}

// Sorts the circuits into buckets by device first, which takes half the time of a single sort if
// devices have hundreds of circuits.
void sort_circuits(int devices, Circuits& circuits) {
  std::vector<std::ptrdiff_t> begin(static_cast<std::size_t>(devices) + 1, 0);
  for (const Circuit& it : circuits) ++begin[it.from + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::ptrdiff_t> next = begin;
  Circuits sorted(circuits.size());
  for (const Circuit& it : circuits) sorted[next[it.from]++] = it;
  for (int device = 0; device < devices; ++device) {
    std::sort(sorted.begin() + begin[device], sorted.begin() + begin[device + 1]);
  }
  circuits.swap(sorted);
}

void describe(const RingLimits& limits, Provisioned& result) {
  RingLoads loads(limits, limits.colors());
  std::array<std::vector<char>, 2> used;  // per direction and color
  used.fill(std::vector<char>(static_cast<std::size_t>(limits.colors()), 0));
  for (const Circuit& it : result.circuits) {
    const int direction = it.plane % 2;
    loads.add(it.from, it.to, direction, 1);
    used[direction][it.plane / 2 * limits.wavelengths + it.wavelength] = 1;
  }
  result.load = loads.max();
  for (const std::vector<char>& it : used) {
    const auto count = static_cast<int>(std::count(it.begin(), it.end(), 1));
    result.wavelengths = std::max(result.wavelengths, count);
  }
}

}  // namespace

int capacity_of(const RingLimits& limits, bool neighbors) {
  return limits.colors() - (neighbors ? colors_for_neighbors(limits) : 0);
}

bool served_as_neighbors(const RingLimits& limits, int from, int to) {
  return colors_for_neighbors(limits) > 0 &&
         (limits.arc(from, to, kClockwise) == 1 ||
          (limits.directions == 2 && limits.arc(from, to, kCounterclockwise) == 1));
}

Provisioned assign_wavelengths(const RingLimits& limits, const workload::Demand& demand,
                               const std::vector<Split>& split, bool neighbors) {
  WavelengthAssignment assignment(limits, demand, capacity_of(limits, neighbors));
  for (int pair = 0; pair < static_cast<int>(demand.size()); ++pair) {
    for (int direction = 0; direction < limits.directions; ++direction) {
      for (int i = 0; i < split[pair][direction]; ++i) assignment.add(pair, direction);
    }
    const workload::PairDemand& it = demand[pair];
    if (neighbors && served_as_neighbors(limits, it.from, it.to)) assignment.count_one(pair);
  }
  assignment.color();
  assignment.fill();
  Provisioned result;
  result.circuits = assignment.circuits();
  if (neighbors && colors_for_neighbors(limits) > 0) {
    const Circuits more = between_neighbors(limits);
    result.circuits.insert(result.circuits.end(), more.begin(), more.end());
  }
  sort_circuits(limits.devices, result.circuits);
  result.rate = worst_share(demand, assignment.counts());
  result.unserved = without_circuit(demand, assignment.counts());
  describe(limits, result);
  return result;
}

}  // namespace loom::fabric
