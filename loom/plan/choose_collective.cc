#include "loom/plan/choose_collective.h"

#include <algorithm>

#include "loom/simulate/engine.h"

namespace loom {

std::vector<PricedAlgorithm> price_algorithms(const Collective& collective,
                                              const std::vector<int>& ranks,
                                              const Network& network) {
  std::vector<PricedAlgorithm> prices;
  const int count = static_cast<int>(ranks.size());
  for (const Algorithm algorithm : algorithms_for(collective.kind)) {
    Collective candidate = collective;
    candidate.algorithm = algorithm;
    const bool levels_wanted = algorithm == Algorithm::hierarchical && collective.levels.empty();
    if (levels_wanted && count == network.devices) candidate.levels = network.levels;
    if (algorithm != Algorithm::hierarchical) candidate.levels.clear();
    if (!objection(candidate, count).empty()) continue;
    const Workload workload = collective_workload(candidate, ranks, network.devices);
    prices.push_back({candidate, simulate_analytic(workload, network, {}).completion_time});
  }
  std::stable_sort(prices.begin(), prices.end(),
                   [](const auto& a, const auto& b) { return a.predicted < b.predicted; });
  return prices;
}

}  // namespace loom
