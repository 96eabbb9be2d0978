// What the fabrics of a scenario cost, whatever they are to carry.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "loom/cost/cost.h"
#include "loom/report/table.h"
#include "loom/study/scenario.h"

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

// The parts of one; each fabric's sum; all parts of all.
Table bill_table(const Cost& cost);
Table costs_table(const std::vector<FabricCost>& costs);
Table bills_table(const std::vector<FabricCost>& costs);

std::string costs_text(const std::vector<FabricCost>& costs);
nlohmann::ordered_json costs_json(const std::vector<FabricCost>& costs);

// The table of prices; all, or of one part.
std::string prices_text(const PriceTable& table, const std::string& component);
nlohmann::ordered_json prices_json(const PriceTable& table, const std::string& component);

}  // namespace loom
