// Traffic demand: the bytes that each pair of devices exchanges, without their order in time.
#pragma once

#include <compare>
#include <functional>
#include <vector>

#include "loom/workload/workload.h"

namespace loom::workload {

struct PairDemand {
  int from = 0;
  int to = 0;
  Bytes bytes;

  auto operator<=>(const PairDemand&) const = default;
};

// Sorted by (from, to); each pair occurs once, from != to, bytes > 0.
using Demand = std::vector<PairDemand>;

// Demand of the operations for which `counted` is true, or of all if it is empty. LimitError if a
// pair's bytes exceed 63 bits.
Demand demand_of(const Workload& workload,
                 const std::function<bool(std::size_t operation)>& counted = nullptr);

}  // namespace loom::workload
