#include "loom/fabric/circuits/provision/ring_max_min.h"

#include <algorithm>

#include "loom/fabric/circuits/provision/filling.h"
#include "loom/fabric/circuits/provision/ring_split.h"
#include "loom/fabric/circuits/provision/wavelength_assignment.h"

namespace loom::fabric {
namespace {

constexpr std::int64_t kWork = 2'000'000;   // steps of the sweep: a few tenths of a second
constexpr std::int64_t kWorkToAssign = 20;  // steps charged per circuit that is colored

// The pairs that progressive filling raises, in order, until a device has more circuits, in or out,
// than all directions together can carry. The last raise does not fit.
std::vector<int> raises_by_device(const RingLimits& limits, const workload::Demand& demand) {
  const int max_circuits = limits.directions * limits.colors();
  std::vector<int> out(static_cast<std::size_t>(limits.devices), 0);
  std::vector<int> in = out;
  std::vector<int> counts(demand.size(), 1);
  for (const workload::PairDemand& it : demand) ++out[it.from], ++in[it.to];
  std::vector<int> raises;
  bool ended = false;
  raise_worst(demand, counts, [&](int pair) {
    if (ended) return false;
    raises.push_back(pair);
    ended = ++out[demand[pair].from] > max_circuits || ++in[demand[pair].to] > max_circuits;
    return !ended;
  });
  return raises;
}

std::vector<int> counts_after(const workload::Demand& demand, const std::vector<int>& raises,
                              int number) {
  std::vector<int> counts(demand.size(), 1);
  for (int i = 0; i < number; ++i) ++counts[raises[i]];
  return counts;
}

// Number of raises by filling before the first raise that finds no room; -1 if some pair gets no
// circuit.
int raises_by_filling(const workload::Demand& demand, RingCounts& room) {
  for (int pair = 0; pair < static_cast<int>(demand.size()); ++pair) {
    if (!room.take(pair)) return -1;
  }
  std::vector<int> counts(demand.size(), 1);
  int raises = 0;
  bool ended = false;
  raise_worst(demand, counts, [&](int pair) {
    ended = ended || !room.take(pair);
    raises += !ended;
    return !ended;
  });
  return raises;
}

struct Best {
  std::vector<int> raises;
  int fits = -1;                  // raises known to fit; -1: not even one circuit per pair
  int too_many = 0;               // raises known not to fit
  std::vector<Split> split = {};  // valid if `fits` is not -1
};

Best best_counts(const RingLimits& limits, const workload::Demand& demand) {
  RingCounts room(limits, demand, limits.colors());
  Best best;
  best.fits = raises_by_filling(demand, room);
  if (best.fits >= 0) best.split = room.split();
  best.raises = raises_by_device(limits, demand);
  best.too_many =
      room.has_direction_choice() ? static_cast<int>(best.raises.size()) : best.fits + 1;
  std::int64_t work = kWork;
  int not_known_to_fit = best.too_many;
  while (not_known_to_fit - best.fits > 1) {
    const int middle = best.fits + (not_known_to_fit - best.fits) / 2;
    SplitFound found = split_circuits(limits, limits.colors(), demand,
                                      counts_after(demand, best.raises, middle), work);
    if (found.answer == CanSplit::yes) {
      best.fits = middle;
      best.split = std::move(found.split);
    } else {
      not_known_to_fit = middle;
      if (found.answer == CanSplit::no) best.too_many = middle;
    }
  }
  return best;
}

// Share of the pair whose raise is the first that does not fit.
double bound_of(const workload::Demand& demand, const Best& best) {
  if (best.too_many == 0) return 0;
  const int pair = best.raises[static_cast<std::size_t>(best.too_many) - 1];
  const std::vector<int> counts = counts_after(demand, best.raises, best.too_many - 1);
  return share(counts[pair], demand[pair].bytes);
}

// Fills the remaining capacity, pairs without a circuit first.
std::vector<Split> filled(const RingLimits& limits, const workload::Demand& demand, RingCounts room,
                          bool neighbors) {
  std::vector<int> counts(demand.size(), 0);
  for (std::size_t i = 0; i < demand.size(); ++i) {
    counts[i] = room.split()[i][0] + room.split()[i][1];
    const bool served = neighbors && served_as_neighbors(limits, demand[i].from, demand[i].to);
    counts[i] += served;
  }
  for (const int pair : largest_first(demand, limits.devices)) {
    if (counts[pair] == 0 && room.take(pair)) counts[pair] = 1;
  }
  raise_worst(demand, counts, [&](int pair) { return room.take(pair); });
  return room.split();
}

bool better(const Provisioned& a, const Provisioned& b) {
  return a.rate != b.rate ? a.rate > b.rate : a.circuits.size() > b.circuits.size();
}

// Improves an assignment in which the worst-served pair lost a circuit because full segments leave
// the coloring no slack. First assigns only the circuits that a given rate needs, then fills free
// wavelengths; a binary search finds the best rate for which this works.
Provisioned assign_with_room(const RingLimits& limits, const workload::Demand& demand,
                             const Best& best, Provisioned found) {
  std::int64_t work = kWork;
  int assigned = -1;
  int failed = best.fits + 1;
  for (int raises = best.fits; failed - assigned > 1 && work > 0;
       raises = assigned + (failed - assigned) / 2) {
    const std::vector<int> counts = counts_after(demand, best.raises, raises);
    const SplitFound split = split_circuits(limits, limits.colors(), demand, counts, work);
    if (split.answer != CanSplit::yes) break;
    Provisioned next = assign_wavelengths(limits, demand, split.split, false);
    work -= kWorkToAssign * static_cast<std::int64_t>(next.circuits.size());
    (next.rate >= worst_share(demand, counts) ? assigned : failed) = raises;
    if (better(next, found)) found = std::move(next);
  }
  return found;
}

}  // namespace

double max_min_bound(const RingLimits& limits, const workload::Demand& demand) {
  return demand.empty() ? 0 : bound_of(demand, best_counts(limits, demand));
}

Provisioned provision_max_min(const RingLimits& limits, const workload::Demand& demand,
                              bool connect) {
  if (demand.empty() || limits.devices < 2) return {};
  const Best best = best_counts(limits, demand);
  RingCounts room(limits, demand, limits.colors());
  if (best.fits >= 0) room.set(best.split);
  Provisioned result =
      assign_wavelengths(limits, demand, filled(limits, demand, room, false), false);
  result.bound = bound_of(demand, best);
  if (result.rate < result.bound)
    result = assign_with_room(limits, demand, best, std::move(result));
  if (connect && !result.unserved.empty()) {
    const RingCounts less(limits, demand, capacity_of(limits, true));
    result = assign_wavelengths(limits, demand, filled(limits, demand, less, true), true);
  }
  result.bound = bound_of(demand, best);
  return result;
}

}  // namespace loom::fabric
