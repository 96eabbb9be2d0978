// Progressive filling: circuits go one by one to the pair of devices that is served worst.
//
// A raise gives one more circuit to the pair with the lowest share (circuits per byte). As long as
// every raise succeeds, every circuit is one that any better rate needs, too. So if a raise fails
// only when no choice of circuits makes it possible, the share of the first pair that cannot be
// raised is the optimal rate, and no search over rates is needed. Later raises fill the remaining
// capacity, next-worst pair first. Shares are compared in 128 bits, never as floating point.
#pragma once

#include <algorithm>
#include <vector>

#include "loom/fabric/circuits/circuits.h"

namespace loom::fabric {

inline bool smaller_share(int count, Bytes of, int other_count, Bytes other_of) {
  return static_cast<Int128>(count) * other_of.count < static_cast<Int128>(other_count) * of.count;
}

inline double share(int count, Bytes of) {
  return static_cast<double>(count) / static_cast<double>(of.count);
}

// Pairs with the same number of circuits and of bytes, sorted; they have the same share.
struct EvenlyServed {
  int count = 0;
  Bytes bytes;
  std::vector<int> pairs;
  // Puts the worst-served pairs on top of a heap.
  bool operator<(const EvenlyServed& other) const {
    return smaller_share(other.count, other.bytes, count, bytes);
  }
};

// Heap of the pairs that have a circuit, grouped by their number of circuits and of bytes.
std::vector<EvenlyServed> evenly_served(const workload::Demand& demand,
                                        const std::vector<int>& counts);

// Removes all entries with the lowest share from the heap.
std::vector<EvenlyServed> take_worst(std::vector<EvenlyServed>& heap);

// Calls raise(pair) for the worst-served pair, the first among equals. If raise() returns true, the
// pair has one more circuit; otherwise the pair is not raised again. Ends when no pair can be
// raised. Pairs without a circuit are skipped. Returns the first pair that could not be raised; -1
// if there is none. An entry of the heap holds many pairs, because training traffic has few
// distinct sizes: a raise takes O(log pairs), and O(1) if all sizes are equal.
template <class Raise>
int raise_worst(const workload::Demand& demand, std::vector<int>& counts, Raise&& raise) {
  int first_stuck = -1;
  std::vector<int> order;
  std::vector<EvenlyServed> heap = evenly_served(demand, counts);
  while (!heap.empty()) {
    std::vector<EvenlyServed> worst = take_worst(heap);
    order.clear();
    for (const EvenlyServed& it : worst) {
      order.insert(order.end(), it.pairs.begin(), it.pairs.end());
    }
    if (worst.size() > 1) std::sort(order.begin(), order.end());
    for (const int pair : order) {
      if (raise(pair)) {
        ++counts[pair];
      } else if (first_stuck < 0) {
        first_stuck = pair;
      }
    }
    for (EvenlyServed& it : worst) {
      std::erase_if(it.pairs, [&](int pair) { return counts[pair] == it.count; });
      ++it.count;
      if (it.pairs.empty()) continue;
      heap.push_back(std::move(it));
      std::push_heap(heap.begin(), heap.end());
    }
  }
  return first_stuck;
}

// The pairs, largest first; of equally large pairs, those with the smallest distance from `from` to
// `to` first, so that all devices get the same number of circuits if not all pairs can be served.
std::vector<int> largest_first(const workload::Demand& demand, int devices);

// Share of the worst-served pair; 0 without demand.
double worst_share(const workload::Demand& demand, const std::vector<int>& counts);

// The pairs without a circuit.
workload::Demand without_circuit(const workload::Demand& demand, const std::vector<int>& counts);

}  // namespace loom::fabric
