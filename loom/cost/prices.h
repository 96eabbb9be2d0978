// Price and power of components: a table that users can edit.
//
// The built-in table (prices.yaml) gives a source for each figure or marks it as an estimate. A
// user's file overrides it entry by entry. Prices do not fall with the rate, so the cost of a
// fabric does not fall with its bandwidth. The table also says how racks stand, which decides which
// links are copper, and what a kilowatt-hour costs.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/tree.h"
#include "loom/base/units.h"
#include "loom/fabric/floor.h"

namespace loom::cost {

// Price of a component at a rate that the table does not list:
// refuse: an error.
// lanes: the price of the next higher rate; above the highest rate, the price of several components
// in parallel.
// linear: interpolated between the neighboring rates; below the lowest rate, the price of the
// lowest rate; above the highest rate, proportional to the rate.
enum class BetweenRates : std::uint8_t { refuse, lanes, linear };
inline constexpr std::array<std::string_view, 3> kBetweenNames = {"refuse", "lanes", "linear"};

// Source of a figure, or the basis of an estimate.
struct Source {
  std::string text;
  bool estimate = false;
};

struct PriceEntry {
  std::string component;
  Bandwidth rate;  // 0: any rate
  Money price;
  Power power;
  Source price_source;
  Source power_source;
  SourceLocation location;  // file and line that last set the entry
};

// What the power of a fabric costs.
struct EnergyPrice {
  Money kilowatt_hour;
  double pue = 1;  // power of the data center per power of its devices and switches
  std::string source;
};

struct PriceTable {
  BetweenRates between = BetweenRates::refuse;
  fabric::Floor floor;
  std::string floor_source;
  EnergyPrice energy;
  std::vector<PriceEntry> entries;  // by component in order of appearance, then by rate
};

// The built-in file, and the table parsed from it.
std::string_view built_in_prices_text();
const PriceTable& built_in_prices();

// Reads a table from text and overrides `base` with it; `source` is its name in messages.
PriceTable read_prices(std::string_view text, const std::string& source, PriceTable base);

// The built-in table, overridden by a file.
PriceTable prices_from(const std::string& path, const SourceLocation& from);

// YAML that reads back to the same table.
std::string to_yaml(const PriceTable& table);

struct UnitPrice {
  Money price;
  Power power;
  bool estimate = false;  // price or power is an estimate, or derived from one
};

// The unit price, rounded up. On failure `why` says what the table lacks.
std::optional<UnitPrice> find_price(const PriceTable& table, std::string_view component,
                                    Bandwidth rate, std::string& why);

}  // namespace loom::cost
