#include "loom/cost/prices.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom {
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
      "a file for --prices adds it: parts: [{{part: {}, rate: {}, price: … USD, power: … W}}]",
      component, exact(rate));
}

UnitPrice unit_of(const PriceEntry& entry) {
  return {entry.price, entry.power, entry.price_source.estimate || entry.power_source.estimate};
}

// a + (b - a) · part / whole, rounded up. Needs whole > 0 and b no less than a where it is a price.
std::int64_t on_the_line(std::int64_t a, std::int64_t b, Int128 component, Int128 whole) {
  const Int128 rise = (Int128{b} - a) * component;
  const Int128 rounded = rise > 0 ? (rise + whole - 1) / whole : rise / whole;
  return static_cast<std::int64_t>(a + rounded);
}

UnitPrice between(const PriceEntry& low, const PriceEntry& high, Bandwidth rate) {
  const Int128 component = rate.bits_per_second - low.rate.bits_per_second;
  const Int128 whole = high.rate.bits_per_second - low.rate.bits_per_second;
  const UnitPrice a = unit_of(low);
  const UnitPrice b = unit_of(high);
  return {{on_the_line(a.price.microdollars, b.price.microdollars, component, whole)},
          {on_the_line(a.power.microwatts, b.power.microwatts, component, whole)},
          a.estimate || b.estimate};
}

// times / of it, rounded up. Within 64 bits: rates and prices read from outside are bounded.
UnitPrice scaled(const UnitPrice& unit, Int128 times, Int128 of) {
  const auto scale = [&](std::int64_t value) {
    const Int128 product = (Int128{value} * times + of - 1) / of;
    if (product > kLargestPrice.microdollars * Int128{1000}) {
      throw LimitError("the price of one part passes 1000 GUSD");
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
    why = fmt::format("there is no price for the part {}; {}", component,
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
        "there is no price for the part {} at {}, only at {}; {}, and between: lanes "
        "or linear allows others",
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

}  // namespace loom
