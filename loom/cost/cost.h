// The cost of a fabric: its bill of materials multiplied by a price table.
#pragma once

#include "loom/cost/prices.h"
#include "loom/fabric/components.h"

namespace loom::cost {

struct CostLine {
  fabric::BillLine component;
  UnitPrice unit;
  Money price;  // total for all units
  Power power;
};

struct Cost {
  std::vector<CostLine> lines;  // in the order of the bill
  Money price;
  Power power;
  Money energy_per_year;  // what the power costs

  bool estimate() const;  // whether any price or power is an estimate
};

// What it costs to draw this power for a year of 365 days, rounded up.
Money yearly_cost(Power power, const EnergyPrice& energy);

// Throws InputError at `location` if the table lacks a component or a rate.
Cost cost_of(const fabric::Bill& bill, const PriceTable& table, const SourceLocation& location);

}  // namespace loom::cost
