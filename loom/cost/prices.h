// What parts cost and draw: a table that anyone can edit.
//
// The program carries one (prices.yaml), each of its figures with a source or marked as an
// estimate; a file of the user's stands before it, entry by entry. Prices do not fall with the
// rate, so that the cost of a fabric does not fall with its bandwidth.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/tree.h"
#include "loom/base/units.h"

namespace loom {

// What a part costs at a rate that the table does not have:
// refuse: it is an error.
// lanes: as the next rate up that is there; above the highest, as several of it side by side.
// linear: on the line between the rates beside it; below the lowest as that, above the highest in
// proportion to it.
enum class BetweenRates : std::uint8_t { refuse, lanes, linear };
inline constexpr std::array<std::string_view, 3> kBetweenNames = {"refuse", "lanes", "linear"};

// Where a figure comes from.
struct Source {
  std::string text;
  bool estimate = false;
};

struct PriceEntry {
  std::string component;
  Bandwidth rate;  // 0: any
  Money price;
  Power power;
  Source price_source;
  Source power_source;
  SourceLocation location;  // where it was last written
};

struct PriceTable {
  BetweenRates between = BetweenRates::refuse;
  std::vector<PriceEntry> entries;  // by part, in the order of appearance, then by rate
};

// The file that the program carries, and the table in it.
std::string_view built_in_prices_text();
const PriceTable& built_in_prices();

// A table read from a text that stands before `base`; `source` names it in messages.
PriceTable read_prices(std::string_view text, const std::string& source, PriceTable base);

// The built-in table with a file before it.
PriceTable prices_from(const std::string& path, const SourceLocation& from);

// As a file that reads back to the same table.
std::string to_yaml(const PriceTable& table);

struct UnitPrice {
  Money price;
  Power power;
  bool estimate = false;  // one of them, or of what they were made of
};

// Rounded up. On failure `why` says what the table lacks.
std::optional<UnitPrice> find_price(const PriceTable& table, std::string_view component,
                                    Bandwidth rate, std::string& why);

}  // namespace loom
