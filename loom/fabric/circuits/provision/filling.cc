#include "loom/fabric/circuits/provision/filling.h"

#include <numeric>

namespace loom::fabric {

std::vector<EvenlyServed> evenly_served(const workload::Demand& demand,
                                        const std::vector<int>& counts) {
  std::vector<int> order;
  for (int pair = 0; pair < static_cast<int>(demand.size()); ++pair) {
    if (counts[pair] > 0) order.push_back(pair);
  }
  const auto served = [&](int pair) { return std::pair(counts[pair], demand[pair].bytes.count); };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return served(a) < served(b); });
  std::vector<EvenlyServed> heap;
  for (const int pair : order) {
    if (heap.empty() || served(heap.back().pairs.front()) != served(pair)) {
      heap.push_back({counts[pair], demand[pair].bytes, {}});
    }
    heap.back().pairs.push_back(pair);
  }
  std::make_heap(heap.begin(), heap.end());
  return heap;
}

std::vector<EvenlyServed> take_worst(std::vector<EvenlyServed>& heap) {
  std::vector<EvenlyServed> worst;
  while (!heap.empty() && (worst.empty() || !(heap.front() < worst.front()))) {
    std::pop_heap(heap.begin(), heap.end());
    worst.push_back(std::move(heap.back()));
    heap.pop_back();
  }
  return worst;
}

std::vector<int> largest_first(const workload::Demand& demand, int devices) {
  std::vector<int> order(demand.size());
  std::iota(order.begin(), order.end(), 0);
  const auto ahead = [&](int pair) {
    return (demand[pair].to - demand[pair].from + devices) % devices;
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    if (demand[a].bytes != demand[b].bytes) return demand[a].bytes > demand[b].bytes;
    return ahead(a) < ahead(b);
  });
  return order;
}

double worst_share(const workload::Demand& demand, const std::vector<int>& counts) {
  if (demand.empty()) return 0;
  std::size_t worst = 0;
  for (std::size_t i = 1; i < demand.size(); ++i) {
    if (smaller_share(counts[i], demand[i].bytes, counts[worst], demand[worst].bytes)) worst = i;
  }
  return share(counts[worst], demand[worst].bytes);
}

workload::Demand without_circuit(const workload::Demand& demand, const std::vector<int>& counts) {
  workload::Demand unserved;
  for (std::size_t i = 0; i < demand.size(); ++i) {
    if (counts[i] == 0) unserved.push_back(demand[i]);
  }
  return unserved;
}

}  // namespace loom::fabric
