// Filling: circuits go one by one to the pair of devices that is served worst.
//
// While each raise succeeds, every pair has just the circuits that any better rate would need: its
// last one came when it was the worst. So where a raise fails only if no circuits could make it
// possible, the share of the first pair that cannot be raised is the best rate there is, and no
// search over rates is needed. What comes after fills the room that is left, next-worst pair first.
// A share is circuits for each byte; shares are compared in 128 bits, never as floating point.
#pragma once

#include <algorithm>
#include <vector>

#include "loom/fabric/circuits.h"

namespace loom {

inline bool smaller_share(int count, Bytes of, int other_count, Bytes other_of) {
  return static_cast<Int128>(count) * other_of.count < static_cast<Int128>(other_count) * of.count;
}

inline double share(int count, Bytes of) {
  return static_cast<double>(count) / static_cast<double>(of.count);
}

// Calls raise(pair) for the pair served worst, the first of equal ones; where it returns true the
// pair has one circuit more, else the pair is left alone from then on. Ends when all are. Pairs
// without a circuit are passed over. Returns the first that could not be raised; -1 if there is
// none. Takes O(raises · log pairs).
template <class Raise>
int raise_worst(const Demand& demand, std::vector<int>& counts, Raise&& raise) {
  const auto later = [&](int a, int b) {
    if (smaller_share(counts[b], demand[b].bytes, counts[a], demand[a].bytes)) return true;
    if (smaller_share(counts[a], demand[a].bytes, counts[b], demand[b].bytes)) return false;
    return a > b;
  };
  std::vector<int> heap;
  for (int pair = 0; pair < static_cast<int>(demand.size()); ++pair) {
    if (counts[pair] > 0) heap.push_back(pair);
  }
  std::make_heap(heap.begin(), heap.end(), later);
  int first_stuck = -1;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const int pair = heap.back();
    if (raise(pair)) {
      ++counts[pair];
      std::push_heap(heap.begin(), heap.end(), later);
    } else {
      heap.pop_back();
      if (first_stuck < 0) first_stuck = pair;
    }
  }
  return first_stuck;
}

// The pairs, those with most bytes first; of equal ones those that lie fewest devices ahead, so
// that where not all can be served every device gets as many.
std::vector<int> largest_first(const Demand& demand, int devices);

// The share of the pair served worst; 0 without demand.
double worst_share(const Demand& demand, const std::vector<int>& counts);

// The pairs without a circuit.
Demand without_circuit(const Demand& demand, const std::vector<int>& counts);

}  // namespace loom
