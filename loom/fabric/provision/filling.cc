#include "loom/fabric/provision/filling.h"

#include <numeric>

namespace loom {

std::vector<int> largest_first(const Demand& demand, int devices) {
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

double worst_share(const Demand& demand, const std::vector<int>& counts) {
  if (demand.empty()) return 0;
  std::size_t worst = 0;
  for (std::size_t i = 1; i < demand.size(); ++i) {
    if (smaller_share(counts[i], demand[i].bytes, counts[worst], demand[worst].bytes)) worst = i;
  }
  return share(counts[worst], demand[worst].bytes);
}

Demand without_circuit(const Demand& demand, const std::vector<int>& counts) {
  Demand unserved;
  for (std::size_t i = 0; i < demand.size(); ++i) {
    if (counts[i] == 0) unserved.push_back(demand[i]);
  }
  return unserved;
}

}  // namespace loom
