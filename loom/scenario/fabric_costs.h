// The cost of the fabrics of a scenario, independent of the workload.
#pragma once

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

  std::string name() const;  // name of the fabric, or its kind if it has none
};

// The built-in prices, overridden by the scenario's price file if it names one.
cost::PriceTable prices_of(const Settings& scenario);

// The cost of each fabric at each point of the axes that affect it. A workload is not needed.
std::vector<FabricCost> fabric_costs(Tree tree, std::span<const std::string> overrides);

}  // namespace loom::scenario
