// Who sends how much to whom: a workload without its order in time.
#pragma once

#include <compare>
#include <functional>
#include <vector>

#include "loom/workload/workload.h"

namespace loom {

struct PairDemand {
  int from = 0;
  int to = 0;
  Bytes bytes;

  auto operator<=>(const PairDemand&) const = default;
};

// By (from, to), each pair once, of two devices, bytes > 0.
using Demand = std::vector<PairDemand>;

// Of the operations that `counted` says; of all where it is empty. LimitError where 63 bits cannot
// count what a pair sends.
Demand demand_of(const Workload& workload,
                 const std::function<bool(std::size_t operation)>& counted = nullptr);

}  // namespace loom
