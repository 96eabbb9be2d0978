#include "loom/report/cost_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "loom/report/tables.h"

namespace loom::report {
namespace {

std::vector<std::string> axis_names(const std::vector<scenario::FabricCost>& costs) {
  std::vector<std::string> names;
  for (const scenario::FabricCost& cost : costs) {
    for (const auto& [path, value] : cost.axes) {
      if (std::find(names.begin(), names.end(), path) == names.end()) names.push_back(path);
    }
  }
  return names;
}

// The fabric's value at that path, also if the path is no axis.
Cell axis_cell(const scenario::FabricCost& cost, const std::string& path) {
  for (const auto& [name, value] : cost.axes) {
    if (name != path) continue;
    const bool of_fabric = path.starts_with("fabric.");
    return typed_cell(
        find_parameter(of_fabric ? cost.fabric.kind->parameters : scenario::scenario_parameters(),
                       path.substr(path.rfind('.') + 1)),
        value);
  }
  if (!path.starts_with("fabric.")) return {};
  const Parameter* parameter = find_parameter(cost.fabric.kind->parameters, path.substr(7));
  if (parameter == nullptr || !cost.fabric.settings.has(parameter->name)) return {};
  return typed_cell(parameter, cost.fabric.settings.text(parameter->name));
}

// Adds the columns and cells that distinguish the fabrics.
void add_axes(const std::vector<scenario::FabricCost>& costs, Table& table) {
  const std::vector<std::string> axes = axis_names(costs);
  table.columns.emplace_back("fabric");
  for (const std::string& axis : axes) table.columns.push_back(heading(axis, axes));
}

std::vector<Cell> axis_cells(const std::vector<scenario::FabricCost>& costs,
                             const scenario::FabricCost& cost) {
  std::vector<Cell> cells = {cost.name()};
  for (const std::string& axis : axis_names(costs)) cells.push_back(axis_cell(cost, axis));
  return cells;
}

std::vector<Cell> line_cells(const cost::CostLine& it) {
  return {it.component.name,
          it.component.rate,
          it.component.count,
          it.unit.price,
          it.price,
          it.power,
          it.unit.estimate ? Cell("estimate") : Cell("")};
}

const std::vector<std::string> kLineColumns = {"component", "rate",  "count", "price",
                                               "sum",       "power", "note"};

}  // namespace

Table bill_table(const cost::Cost& cost) {
  Table table{kLineColumns, {}};
  for (const cost::CostLine& it : cost.lines) table.rows.push_back(line_cells(it));
  return table;
}

Table bills_table(const std::vector<scenario::FabricCost>& costs) {
  Table table;
  add_axes(costs, table);
  table.columns.insert(table.columns.end(), kLineColumns.begin(), kLineColumns.end());
  for (const scenario::FabricCost& cost : costs) {
    for (const cost::CostLine& it : cost.cost.lines) {
      std::vector<Cell> row = axis_cells(costs, cost);
      for (Cell& cell : line_cells(it)) row.push_back(std::move(cell));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table costs_table(const std::vector<scenario::FabricCost>& costs) {
  Table table;
  add_axes(costs, table);
  table.columns.insert(table.columns.end(), {"devices", "cost", "cost_per_device", "power",
                                             "energy_per_year", "versus_cheapest"});
  Money cheapest{std::numeric_limits<std::int64_t>::max()};
  for (const scenario::FabricCost& it : costs) {
    if (!it.unaffordable) cheapest = std::min(cheapest, it.cost.price);
  }
  for (const scenario::FabricCost& it : costs) {
    std::vector<Cell> row = axis_cells(costs, it);
    const Money price = it.cost.price;
    row.insert(row.end(), {std::int64_t{it.devices}, price, Money{price.microdollars / it.devices},
                           it.cost.power, it.cost.energy_per_year});
    row.push_back(it.unaffordable              ? Cell("infeasible")
                  : cheapest.microdollars == 0 ? Cell()
                                               : Cell(static_cast<double>(price.microdollars) /
                                                      static_cast<double>(cheapest.microdollars)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string costs_text(const std::vector<scenario::FabricCost>& costs) {
  std::string text;
  bool estimates = false;
  for (const scenario::FabricCost& it : costs) {
    text += it.name();
    for (const auto& [path, value] : it.axes) {
      text += fmt::format(", {}: {}", path.substr(path.rfind('.') + 1), value);
    }
    if (it.unaffordable) text += "\ninfeasible: " + it.unaffordable->why;
    text += "\n" + to_text(bill_table(it.cost)) + "\n";
    estimates = estimates || it.cost.estimate();
  }
  text += to_text(costs_table(costs));
  if (estimates) text += "\nestimates and sources: 'lightloom prices'\n";
  return text;
}

nlohmann::ordered_json costs_json(const std::vector<scenario::FabricCost>& costs) {
  nlohmann::ordered_json json = to_json(costs_table(costs));
  for (std::size_t i = 0; i < costs.size(); ++i) {
    if (costs[i].unaffordable) json[i]["infeasible"] = costs[i].unaffordable->why;
    json[i]["components"] = to_json(bill_table(costs[i].cost));
  }
  return json;
}

}  // namespace loom::report
