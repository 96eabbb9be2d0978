// The cost of the fabrics of a scenario, independent of the workload.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loom/cost/cost.h"
#include "loom/scenario/scenario.h"

namespace loom::scenario {

struct FabricCost {
  fabric::FabricSpec fabric;
  int devices = 0;
  std::vector<std::pair<std::string, std::string>> axes;  // path and value
  cost::Cost cost;
  // Why no bandwidth has the cost or power of another fabric; `cost` is then the lowest possible.
  std::optional<Infeasible> unaffordable = {};

  std::string name() const;  // name of the fabric, or its kind if it has none
};

// The built-in prices, overridden by the scenario's price file if it names one, and by its racks.
cost::PriceTable prices_of(const Settings& scenario);

// The cost of the fabric at each point of the scenario. The workload may be missing, and its lists
// are not axes.
std::vector<FabricCost> fabric_costs(Tree tree, std::span<const std::string> overrides);

}  // namespace loom::scenario
