// CSV tables (RFC 4180): a header line, commas, quotes.
//
// A quantity carries its unit in the cell (`25 Gbps`) or once in the header (`bandwidth [Gbps]`).
// Spaces around a cell are ignored, empty lines skipped. A table of a million rows is read in well
// under a second: cells stay in the text and are parsed on access.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/settings.h"
#include "loom/base/units.h"

namespace loom {

struct CsvColumn {
  std::string_view name;
  ValueType type = ValueType::text;
  bool required = true;
};

// A parsed CSV table. A cell is addressed by its row and by the name of a column in the header. A
// getter throws an InputError at the line of the cell if the cell does not parse as the requested
// type.
class CsvTable {
 public:
  std::size_t rows() const { return lines_.size(); }
  bool has(std::string_view column) const;  // whether the header names the column

  std::string_view text(std::size_t row, std::string_view column) const;
  std::int64_t integer(std::size_t row, std::string_view column, std::int64_t min,
                       std::int64_t max) const;
  bool boolean(std::size_t row, std::string_view column) const;
  Duration duration(std::size_t row, std::string_view column) const;
  // Like duration(), but drops fractions of a picosecond; for measured values.
  Duration rough_duration(std::size_t row, std::string_view column) const;
  Bytes size(std::size_t row, std::string_view column) const;
  Bandwidth bandwidth(std::size_t row, std::string_view column) const;

  SourceLocation location(std::size_t row) const { return {source_, lines_[row]}; }

  // Throws an InputError at the row: "flows.csv:7: size is 0 B; at least 1 B is needed".
  [[noreturn]] void refuse(std::size_t row, std::string_view column,
                           const std::string& needed) const;

 private:
  friend CsvTable parse_csv(std::string text, const std::string& source,
                            std::span<const CsvColumn> columns);

  struct Cell {
    std::uint32_t begin = 0;  // offset in text_
    std::uint32_t end = 0;
  };
  struct Column {
    std::string name;
    std::string unit;  // unit in the header; "" if each cell has its own
  };
  class Reader;

  std::size_t position(std::string_view column) const;
  std::string with_unit(std::size_t row, std::string_view column) const;
  void take_header(std::span<const Cell> header, std::span<const CsvColumn> known, int line);
  std::string_view view(Cell cell) const {
    return std::string_view(text_).substr(cell.begin, cell.end - cell.begin);
  }

  std::shared_ptr<const std::string> source_;
  std::string text_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;  // row by row
  std::vector<int> lines_;   // line number per row
};

// The text without the byte order mark that some editors and spreadsheets put before UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

// Parses a CSV file whose header names `columns` in any order; `source` names the file in messages.
// Throws an InputError for an unknown, duplicate or missing required column, and for a row with
// more or fewer cells than the header.
CsvTable parse_csv(std::string text, const std::string& source, std::span<const CsvColumn> columns);

}  // namespace loom
