#include "loom/fabric/circuits/provision/wavelength_assignment.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "loom/fabric/circuits/provision/filling.h"

namespace loom {
namespace {

// Wavelengths of each direction that connect neighbours.
int colours_for_neighbours(const RingLimits& limits) {
  const int needed = limits.reuse ? 1 : limits.devices;
  return needed <= limits.colours() ? needed : 0;
}

class WavelengthAssignment {
 public:
  WavelengthAssignment(const RingLimits& limits, const Demand& demand, int capacity)
      : limits_(limits),
        demand_(demand),
        counts_(demand.size(), 0),
        colouring_(static_cast<std::size_t>(limits.directions),
                   ArcColouring(segments_of(limits), capacity)),
        pair_(static_cast<std::size_t>(limits.directions)) {
    for (const PairDemand& it : demand)
      directions_.push_back(directions_of(limits, it.from, it.to));
  }

  void add(int pair, int direction) {
    const PairDemand& it = demand_[pair];
    colouring_[direction].add(arc_of(limits_, it.from, it.to, direction));
    pair_[direction].push_back(pair);
    ++counts_[pair];
  }

  // A circuit that `lit` has besides the coloured ones.
  void count_one(int pair) { ++counts_[pair]; }

  void colour() {
    for (int direction = 0; direction < limits_.directions; ++direction) {
      colouring_[direction].colour_all();
      std::vector<int> unassigned;
      for (int arc = 0; arc < colouring_[direction].arcs(); ++arc) {
        if (colouring_[direction].colour(arc) < 0) unassigned.push_back(arc);
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
      for (int arc = 0; arc < colouring_[direction].arcs(); ++arc) {
        const int colour = colouring_[direction].colour(arc);
        if (colour < 0) continue;
        const PairDemand& it = demand_[pair_[direction][arc]];
        result.push_back({.from = it.from,
                          .to = it.to,
                          .plane = 2 * (colour / limits_.wavelengths) + direction,
                          .wavelength = colour % limits_.wavelengths});
      }
    }
    return result;
  }

 private:
  // Of the arcs' pairs, the one served worst when each has lost a circuit.
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

  // Leaves out this arc, or the one in its way in some colour: whose pair is served best without
  // it. Several make way only where a pair would lose its last circuit.
  void preempt_or_drop(int direction, int arc) {
    ArcColouring& colouring = colouring_[direction];
    std::vector<int> losers = {arc};
    int worst = pair_[direction][arc];
    const std::size_t max = counts_[worst] > 1 ? 1 : demand_.size();
    for (int colour = 0; colour < colouring.colours(); ++colour) {
      const std::vector<int> others = colouring.conflicting_arcs(arc, colour);
      if (others.empty() || others.size() > max) continue;
      const int next = worst_without(direction, others);
      if (!better_without(next, worst)) continue;
      worst = next;
      losers = others;
    }
    if (losers.front() != arc) {
      for (const int it : losers) colouring.remove(it);
      colouring.place(arc);
    }
    for (const int it : losers) {
      const bool found = it != arc && (colouring.place(it) || colouring.place_by_exchange(it));
      if (!found) --counts_[pair_[direction][it]];
    }
  }

  bool raise(int pair) {
    const PairDemand& it = demand_[pair];
    for (const int direction : directions_[pair]) {
      const Arc arc = arc_of(limits_, it.from, it.to, direction);
      if (!colouring_[direction].add_if_free(arc)) continue;
      pair_[direction].push_back(pair);
      return true;
    }
    return false;
  }

  const RingLimits& limits_;
  const Demand& demand_;
  std::vector<int> counts_;
  std::vector<ArcColouring> colouring_;       // by direction
  std::vector<std::vector<int>> pair_;        // by direction and arc
  std::vector<std::vector<int>> directions_;  // by pair: the directions it can go
};

Circuits between_neighbours(const RingLimits& limits) {
  Circuits result;
  for (int direction = 0; direction < limits.directions; ++direction) {
    for (int device = 0; device < limits.devices; ++device) {
      const int step = direction == kClockwise ? 1 : limits.devices - 1;
      const int colour = limits.colours() - 1 - (limits.reuse ? 0 : device);
      result.push_back({.from = device,
                        .to = (device + step) % limits.devices,
                        .plane = 2 * (colour / limits.wavelengths) + direction,
                        .wavelength = colour % limits.wavelengths});
    }
  }
  return result;
}

// First by device, as there may be hundreds of each: half the time of sorting them all together.
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
  RingLoads loads(limits, limits.colours());
  std::array<std::vector<char>, 2> used;  // by direction and colour
  used.fill(std::vector<char>(static_cast<std::size_t>(limits.colours()), 0));
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

int capacity_of(const RingLimits& limits, bool neighbours) {
  return limits.colours() - (neighbours ? colours_for_neighbours(limits) : 0);
}

bool served_as_neighbours(const RingLimits& limits, int from, int to) {
  return colours_for_neighbours(limits) > 0 &&
         (limits.arc(from, to, kClockwise) == 1 ||
          (limits.directions == 2 && limits.arc(from, to, kCounterclockwise) == 1));
}

Provisioned assign_wavelengths(const RingLimits& limits, const Demand& demand,
                               const std::vector<Split>& split, bool neighbours) {
  WavelengthAssignment assignment(limits, demand, capacity_of(limits, neighbours));
  for (int pair = 0; pair < static_cast<int>(demand.size()); ++pair) {
    for (int direction = 0; direction < limits.directions; ++direction) {
      for (int i = 0; i < split[pair][direction]; ++i) assignment.add(pair, direction);
    }
    const PairDemand& it = demand[pair];
    if (neighbours && served_as_neighbours(limits, it.from, it.to)) assignment.count_one(pair);
  }
  assignment.colour();
  assignment.fill();
  Provisioned result;
  result.circuits = assignment.circuits();
  if (neighbours && colours_for_neighbours(limits) > 0) {
    const Circuits more = between_neighbours(limits);
    result.circuits.insert(result.circuits.end(), more.begin(), more.end());
  }
  sort_circuits(limits.devices, result.circuits);
  result.rate = worst_share(demand, assignment.counts());
  result.unserved = without_circuit(demand, assignment.counts());
  describe(limits, result);
  return result;
}

}  // namespace loom
