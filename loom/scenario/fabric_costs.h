// What the fabrics of a scenario cost, whatever they are to carry.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loom/cost/cost.h"
#include "loom/scenario/scenario.h"

namespace loom {

struct FabricCost {
  FabricSpec fabric;
  int devices = 0;
  std::vector<std::pair<std::string, std::string>> axes;  // path and value
  Cost cost;

  std::string name() const;  // of the fabric, or its kind
};

// The built-in prices, or with the file that the scenario names before them.
PriceTable prices_of(const Settings& scenario);

// A scenario's fabrics at all listed values that concern them. It may lack a workload.
std::vector<FabricCost> fabric_costs(Tree tree, std::span<const std::string> overrides);

}  // namespace loom
