#include "loom/cost/cost.h"

#include <algorithm>

namespace loom::cost {

bool Cost::estimate() const {
  return std::any_of(lines.begin(), lines.end(),
                     [](const CostLine& it) { return it.unit.estimate; });
}

Cost cost_of(const fabric::Bill& bill, const PriceTable& table, const SourceLocation& location) {
  Cost cost;
  for (const fabric::BillLine& component : bill) {
    std::string why;
    const auto unit = find_price(table, component.name, component.rate, why);
    if (!unit) throw InputError(location, why);
    cost.lines.push_back({component, *unit, times(component.count, unit->price),
                          times(component.count, unit->power)});
    cost.price = add(cost.price, cost.lines.back().price);
    cost.power = add(cost.power, cost.lines.back().power);
  }
  return cost;
}

}  // namespace loom::cost
