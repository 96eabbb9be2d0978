#include "loom/fabric/circuits/provision/max_weight.h"

#include <algorithm>

#include "loom/fabric/circuits/provision/filling.h"
#include "loom/fabric/circuits/provision/matching.h"
#include "loom/fabric/circuits/provision/ocs_max_min.h"
#include "loom/fabric/circuits/provision/ring_max_min.h"
#include "loom/fabric/circuits/provision/wavelength_assignment.h"

namespace loom::fabric {
namespace {

// Weight of the largest pair, to which all weights are scaled. Weights are integers; with this
// scale, halves and thirds of small weights still differ.
constexpr std::int64_t kMaxPairWeight = std::int64_t{1} << 50;

std::vector<WeightedEdge> edges_on(const OcsLimits& limits, int plane,
                                   const workload::Demand& demand, const std::vector<int>& counts,
                                   Bytes max_bytes, std::vector<int>& pairs) {
  std::vector<WeightedEdge> edges;
  pairs.clear();
  for (int pair = 0; pair < static_cast<int>(demand.size()); ++pair) {
    const workload::PairDemand& it = demand[pair];
    if (!limits.wired(it.from, plane) || !limits.wired(it.to, plane)) continue;
    const auto scaled = static_cast<std::int64_t>(static_cast<Int128>(it.bytes.count) *
                                                  kMaxPairWeight / max_bytes.count);
    edges.push_back({it.from, it.to, scaled / (counts[pair] + 1)});
    pairs.push_back(pair);
  }
  return edges;
}

}  // namespace

Provisioned provision_max_weight(const OcsLimits& limits, const workload::Demand& demand) {
  if (demand.empty()) return {};
  std::vector<int> counts(demand.size(), 0);
  Provisioned result;
  const auto largest = static_cast<std::size_t>(largest_first(demand, limits.devices).front());
  const Bytes max_bytes = demand[largest].bytes;
  std::vector<int> pairs;
  for (int plane = 0; plane < limits.switches; ++plane) {
    const auto edges = edges_on(limits, plane, demand, counts, max_bytes, pairs);
    for (const int edge : max_weight_matching(limits.devices, edges)) {
      ++counts[pairs[edge]];
      result.circuits.push_back(
          {.from = edges[edge].left, .to = edges[edge].right, .plane = plane});
    }
  }
  std::sort(result.circuits.begin(), result.circuits.end());
  result.rate = worst_share(demand, counts);
  result.bound = max_min_bound(limits, demand);
  result.unserved = without_circuit(demand, counts);
  return result;
}

Provisioned provision_max_weight(const RingLimits& limits, const workload::Demand& demand) {
  if (demand.empty() || limits.devices < 2) return {};
  RingCounts room(limits, demand, limits.colors());
  // The pair of max weight is the one whose share would be smallest with one more circuit.
  std::vector<int> one_more(demand.size(), 1);
  raise_worst(demand, one_more, [&](int pair) { return room.take(pair); });
  Provisioned result = assign_wavelengths(limits, demand, room.split(), false);
  result.bound = max_min_bound(limits, demand);
  return result;
}

Provisioned provision_max_weight(const CircuitLimits& limits, const workload::Demand& demand,
                                 bool /*connect*/) {
  return std::visit([&](const auto& it) { return provision_max_weight(it, demand); }, limits);
}

}  // namespace loom::fabric
