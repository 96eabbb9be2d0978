// A table of quantities with units: aligned text for people, exact CSV and JSON for machines.
//
// People read "21.46 ms"; CSV and JSON carry integer picoseconds, bytes and bit/s.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "loom/base/units.h"

namespace loom::report {

using Cell = std::variant<std::monostate, std::string, std::int64_t, double, Duration, Bytes,
                          Bandwidth, FlopRate, Money, Power>;

struct Table {
  std::vector<std::string> columns;  // snake_case, as in JSON
  std::vector<std::vector<Cell>> rows;
};

// Readable text: "-" for an empty cell, real numbers with three decimals.
std::string to_text(const Cell& cell);

// Plain text: aligned columns, a line below the headings, numbers aligned to the right, no trailing
// spaces.
std::string to_text(const Table& table);

// CSV (RFC 4180). Headings name the unit: `name [ps]` for times, `[B]` for sizes, `[bps]` or
// `[flop/s]` for rates, `[USD]` for prices, `[W]` for powers.
std::string to_csv(const Table& table);

// A list with one object per row.
nlohmann::ordered_json to_json(const Table& table);
nlohmann::ordered_json to_json(const Cell& cell);

// One line per fact: name and value.
std::string to_text(const std::vector<std::pair<std::string, Cell>>& facts);

}  // namespace loom::report
