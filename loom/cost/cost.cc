#include "loom/cost/cost.h"

#include <algorithm>
#include <cmath>

namespace loom::cost {

bool Cost::estimate() const {
  return std::any_of(lines.begin(), lines.end(),
                     [](const CostLine& it) { return it.unit.estimate; });
}

Money yearly_cost(Power power, const EnergyPrice& energy) {
  constexpr Int128 kHours = 365 * 24;
  constexpr Int128 kMicrowatts = 1'000'000'000;  // in a kilowatt
  constexpr Int128 kMillion = 1'000'000;
  const auto divided = [](Int128 value, Int128 by) { return (value + by - 1) / by; };
  const Int128 price = energy.kilowatt_hour.microdollars;
  const Int128 before_pue = divided(Int128{power.microwatts} * price * kHours, kMicrowatts);
  const Int128 cost = divided(before_pue * std::llround(energy.pue * 1e6), kMillion);
  if (cost > kLargestPrice.microdollars * Int128{1000}) {
    throw LimitError("the energy of one year costs more than 1000 GUSD");
  }
  return {static_cast<std::int64_t>(cost)};
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
  cost.energy_per_year = yearly_cost(cost.power, table.energy);
  return cost;
}

}  // namespace loom::cost
