// A bill of materials times a table of prices.
#pragma once

#include "loom/cost/prices.h"
#include "loom/fabric/components.h"

namespace loom {

struct CostLine {
  BillLine component;
  UnitPrice unit;
  Money price;  // of all of them
  Power power;
};

struct Cost {
  std::vector<CostLine> lines;  // as in the bill
  Money price;
  Power power;

  bool estimate() const;  // some price or power is one
};

// InputError at `place` where the table lacks a part or a rate.
Cost cost_of(const Bill& bill, const PriceTable& table, const SourceLocation& location);

}  // namespace loom
