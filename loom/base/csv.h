// Tables in text as spreadsheets write them (RFC 4180): a header line, commas, quotes.
//
// A quantity carries its unit in the cell (`25 Gbps`) or once in the header (`bandwidth [Gbps]`).
// Spaces around a cell do not count, empty lines are passed over. A table of a million rows is
// read in well under a second: cells stay in the text and are parsed when they are asked for.
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

// Cells are asked for by row and by the name of one of the columns it was read with. A cell that is
// not what it is asked for as is an InputError at its line.
class CsvTable {
 public:
  std::size_t rows() const { return lines_.size(); }
  bool has(std::string_view column) const;  // the header names it

  std::string_view text(std::size_t row, std::string_view column) const;
  std::int64_t integer(std::size_t row, std::string_view column, std::int64_t min,
                       std::int64_t max) const;
  bool boolean(std::size_t row, std::string_view column) const;
  Duration duration(std::size_t row, std::string_view column) const;
  // For what was measured: what is less than a picosecond is left out.
  Duration rough_duration(std::size_t row, std::string_view column) const;
  Bytes size(std::size_t row, std::string_view column) const;
  Bandwidth bandwidth(std::size_t row, std::string_view column) const;

  SourceLocation location(std::size_t row) const { return {source_, lines_[row]}; }

  // An InputError at the row: "flows.csv:7: size is 0 B; at least 1 B is needed".
  [[noreturn]] void refuse(std::size_t row, std::string_view column,
                           const std::string& needed) const;

 private:
  friend CsvTable parse_csv(std::string text, const std::string& source,
                            std::span<const CsvColumn> columns);

  struct Cell {
    std::uint32_t begin = 0;  // in text_
    std::uint32_t end = 0;
  };
  struct Column {
    std::string name;
    std::string unit;  // from the header; "" if the cells carry it
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
  std::vector<int> lines_;   // of each row
};

// Without the mark that some editors and spreadsheets begin UTF-8 with.
std::string_view without_byte_order_mark(std::string_view text);

// `source` names the text in messages. Columns may stand in any order; a column that is not among
// `columns`, stands twice or lacks although required is refused, and so is a row of another length.
CsvTable parse_csv(std::string text, const std::string& source, std::span<const CsvColumn> columns);

}  // namespace loom
