#include "loom/cost/prices.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::cost {
namespace {

std::vector<PriceEntry> entries_of(const PriceTable& table, std::string_view component) {
  std::vector<PriceEntry> entries;
  for (const PriceEntry& it : table.entries) {
    if (it.component == component) entries.push_back(it);
  }
  return entries;
}

std::string how_to_add(std::string_view component, Bandwidth rate) {
  return fmt::format(
      "add it to a file for --prices: components: [{{component: {}, rate: {}, price: … USD, power: "
      "… W}}]",
      component, exact(rate));
}

UnitPrice unit_of(const PriceEntry& entry) {
  return {entry.price, entry.power, entry.price_source.estimate || entry.power_source.estimate};
}

// a + (b - a) · offset / range, rounded up. Requires range > 0. Power may fall with the rate (b <
// a); prices may not.
std::int64_t on_the_line(std::int64_t a, std::int64_t b, Int128 offset, Int128 range) {
  const Int128 rise = (Int128{b} - a) * offset;
  const Int128 rounded = rise > 0 ? (rise + range - 1) / range : rise / range;
  return static_cast<std::int64_t>(a + rounded);
}

UnitPrice between(const PriceEntry& low, const PriceEntry& high, Bandwidth rate) {
  const Int128 offset = rate.bits_per_second - low.rate.bits_per_second;
  const Int128 range = high.rate.bits_per_second - low.rate.bits_per_second;
  const UnitPrice a = unit_of(low);
  const UnitPrice b = unit_of(high);
  return {{on_the_line(a.price.microdollars, b.price.microdollars, offset, range)},
          {on_the_line(a.power.microwatts, b.power.microwatts, offset, range)},
          a.estimate || b.estimate};
}

// unit · times / of, rounded up. Throws LimitError above 1000 GUSD, so the result fits in 64 bits.
UnitPrice scaled(const UnitPrice& unit, Int128 times, Int128 of) {
  const auto scale = [&](std::int64_t value) {
    const Int128 product = (Int128{value} * times + of - 1) / of;
    if (product > kLargestPrice.microdollars * Int128{1000}) {
      throw LimitError("the price of one component exceeds 1000 GUSD");
    }
    return static_cast<std::int64_t>(product);
  };
  return {{scale(unit.price.microdollars)}, {scale(unit.power.microwatts)}, unit.estimate};
}

}  // namespace

std::optional<UnitPrice> find_price(const PriceTable& table, std::string_view component,
                                    Bandwidth rate, std::string& why) {
  const std::vector<PriceEntry> entries = entries_of(table, component);
  if (entries.empty()) {
    why = fmt::format("there is no price for component {}; {}", component,
                      how_to_add(component, rate));
    return std::nullopt;
  }
  if (entries.front().rate.bits_per_second == 0) return unit_of(entries.front());
  const auto next = std::lower_bound(entries.begin(), entries.end(), rate,
                                     [](const auto& it, Bandwidth r) { return it.rate < r; });
  if (next != entries.end() && next->rate == rate) return unit_of(*next);
  if (table.between == BetweenRates::refuse) {
    std::string rates;
    for (const PriceEntry& it : entries) {
      rates += fmt::format("{}{}", rates.empty() ? "" : ", ", exact(it.rate));
    }
    why = fmt::format(
        "there is no price for component {} at {}, only at {}; {}, or set between: lanes or "
        "linear",
        component, exact(rate), rates, how_to_add(component, rate));
    return std::nullopt;
  }
  const bool lanes = table.between == BetweenRates::lanes;
  if (next == entries.end()) {
    const Int128 highest = entries.back().rate.bits_per_second;
    const Int128 count = (rate.bits_per_second + highest - 1) / highest;
    return lanes ? scaled(unit_of(entries.back()), count, 1)
                 : scaled(unit_of(entries.back()), rate.bits_per_second, highest);
  }
  if (lanes || next == entries.begin()) return unit_of(*next);
  return between(*std::prev(next), *next, rate);
}

}  // namespace loom::cost
