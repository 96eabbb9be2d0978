// The cost of fabrics as tables: bills of materials, totals, and the price list.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "loom/report/table.h"
#include "loom/scenario/fabric_costs.h"

namespace loom::report {

// Three tables: the components of one fabric, the total of each fabric, and the components of all
// fabrics.
Table bill_table(const cost::Cost& cost);
Table costs_table(const std::vector<scenario::FabricCost>& costs);
Table bills_table(const std::vector<scenario::FabricCost>& costs);

std::string costs_text(const std::vector<scenario::FabricCost>& costs);
nlohmann::ordered_json costs_json(const std::vector<scenario::FabricCost>& costs);

// The price table as text: all components, or only `component`.
std::string prices_text(const cost::PriceTable& table, const std::string& component);
nlohmann::ordered_json prices_json(const cost::PriceTable& table, const std::string& component);

}  // namespace loom::report
