#include "loom/base/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "loom/base/renamed.h"
#include "loom/base/text.h"

namespace loom {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string names_of(std::span<const CsvColumn> columns) {
  std::string out;
  for (const CsvColumn& column : columns) {
    out += fmt::format("{}{}", out.empty() ? "" : ", ", column.name);
  }
  return out;
}

const CsvColumn& find_column(std::span<const CsvColumn> known, std::string_view name,
                             const SourceLocation& location) {
  std::vector<std::string_view> names;
  for (const CsvColumn& column : known) {
    if (column.name == name) return column;
    names.push_back(column.name);
  }
  if (const auto now = renamed(name, names)) {
    throw InputError(location, fmt::format("column '{}' was renamed; write {}", name, *now));
  }
  throw InputError(location,
                   fmt::format("column '{}' is not known{}; known are {}", shortened(name),
                               suggestion(name, names), names_of(known)));
}

// The reason why a column of this type cannot have the unit in its header; nothing if it can.
std::optional<std::string> unit_objection(ValueType type, std::string_view unit) {
  const std::string one = fmt::format("1 {}", unit);
  std::string why = "no unit is allowed";
  const bool allowed = (type == ValueType::duration && parse_duration(one, why)) ||
                       (type == ValueType::size && parse_bytes(one, why)) ||
                       (type == ValueType::bandwidth && parse_bandwidth(one, why));
  if (allowed) return std::nullopt;
  return why;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(text.starts_with(kMark) ? kMark.size() : 0);
}

// Reads the text cell by cell. Quoted cells are unquoted in place, which never makes them longer.
class CsvTable::Reader {
 public:
  Reader(std::string& text, const std::shared_ptr<const std::string>& source)
      : text_(text), source_(source), at_(text.size() - without_byte_order_mark(text).size()) {
    if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError({source_, 0}, "the table is larger than 4 GiB");
    }
    const std::size_t bad = first_not_utf8(text);
    if (bad == text.size()) return;
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(bad);
    line_ += static_cast<int>(std::count(text.begin(), end, '\n'));
    at_ = bad;
    refuse_strange_byte();
  }

  // Appends the cells of the next non-empty row to `cells`; returns false at the end of the text.
  bool row(std::vector<Cell>& cells) {
    skip_blanks();
    while (end_line()) skip_blanks();
    if (at_ == text_.size()) return false;
    row_line_ = line_;
    do {
      skip_blanks();
      cells.push_back(at('"') ? quoted() : plain());
      skip_blanks();
    } while (take(','));
    if (!end_line() && at_ < text_.size()) refuse_byte();
    return true;
  }

  int row_line() const { return row_line_; }

 private:
  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool take(char c) { return at(c) ? (++at_, true) : false; }

  void skip_blanks() {
    while (at(' ') || at('\t')) ++at_;
  }

  bool end_line() {
    if (at('\r') && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    if (!take('\n')) return false;
    ++line_;
    return true;
  }

  Cell cell(std::size_t begin, std::size_t end) const {
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }

  Cell plain() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !at(',') && !at('"') && plain_byte(text_[at_])) ++at_;
    std::size_t end = at_;
    while (end > begin && kBlanks.find(text_[end - 1]) != std::string_view::npos) --end;
    return cell(begin, end);
  }

  Cell quoted() {
    const int opened = line_;
    const std::size_t begin = ++at_;
    std::size_t end = begin;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (!plain_byte(c) && c != '\n' && c != '\r') refuse_byte();
      ++at_;
      if (c == '"' && !take('"')) return cell(begin, end);
      if (c == '\n') ++line_;
      text_[end++] = c;
    }
    throw InputError({source_, opened}, "a quote opens here and is never closed");
  }

  static bool plain_byte(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 32 && byte != 127) || c == '\t';
  }

  [[noreturn]] void refuse_strange_byte() const {
    throw InputError({source_, line_},
                     fmt::format("byte 0x{:02x} is not allowed; CSV must be plain UTF-8 text",
                                 static_cast<unsigned char>(text_[at_])));
  }

  [[noreturn]] void refuse_byte() const {
    if (!plain_byte(text_[at_])) refuse_strange_byte();
    throw InputError(
        {source_, line_},
        at('"') ? "a quote is inside an unquoted cell; quote the whole cell, write \"\" for "
                  "a quote in it"
                : "text follows a closing quote; a comma is needed between cells");
  }

  std::string& text_;
  const std::shared_ptr<const std::string>& source_;
  std::size_t at_;
  int line_ = 1;
  int row_line_ = 1;
};

void CsvTable::take_header(std::span<const Cell> header, std::span<const CsvColumn> known,
                           int line) {
  const SourceLocation here{source_, line};
  for (const Cell cell : header) {
    std::string_view name = view(cell);
    std::string_view unit;
    if (const std::size_t open = name.find('[');
        name.ends_with(']') && open != std::string_view::npos) {
      unit = trimmed(name.substr(open + 1, name.size() - open - 2));
      name = trimmed(name.substr(0, open));
    }
    const CsvColumn& column = find_column(known, name, here);
    if (has(name)) {
      throw InputError(here, fmt::format("column '{}' appears twice; once is enough", name));
    }
    const auto wrong = unit.empty() ? std::nullopt : unit_objection(column.type, unit);
    if (wrong) {
      throw InputError(
          here, fmt::format("column '{}' has the unit '{}'; {}", name, shortened(unit), *wrong));
    }
    columns_.push_back({std::string(name), std::string(unit)});
  }
  for (const CsvColumn& column : known) {
    if (column.required && !has(column.name)) {
      throw InputError(
          here, fmt::format("column '{}' is missing; known are {}", column.name, names_of(known)));
    }
  }
}

CsvTable parse_csv(std::string text, const std::string& source,
                   std::span<const CsvColumn> columns) {
  CsvTable table;
  table.source_ = std::make_shared<const std::string>(source);
  table.text_ = std::move(text);
  CsvTable::Reader reader(table.text_, table.source_);
  std::vector<CsvTable::Cell> header;
  if (!reader.row(header)) {
    throw InputError({table.source_, 1}, "the file is empty; a line with column names is needed");
  }
  table.take_header(header, columns, reader.row_line());
  for (std::size_t before = 0; reader.row(table.cells_); before = table.cells_.size()) {
    if (table.cells_.size() - before != header.size()) {
      throw InputError({table.source_, reader.row_line()},
                       fmt::format("the row has {} cells; the header names {} columns",
                                   table.cells_.size() - before, header.size()));
    }
    table.lines_.push_back(reader.row_line());
  }
  return table;
}

bool CsvTable::has(std::string_view column) const {
  return std::any_of(columns_.begin(), columns_.end(),
                     [&](const Column& known) { return known.name == column; });
}

std::size_t CsvTable::position(std::string_view column) const {
  std::size_t found = 0;
  while (found < columns_.size() && columns_[found].name != column) ++found;
  LOOM_CHECK(found < columns_.size(), "only existing columns are accessed");
  return found;
}

std::string_view CsvTable::text(std::size_t row, std::string_view column) const {
  return view(cells_[row * columns_.size() + position(column)]);
}

std::string CsvTable::with_unit(std::size_t row, std::string_view column) const {
  std::string quantity(text(row, column));
  const std::string& unit = columns_[position(column)].unit;
  if (!unit.empty()) (quantity += ' ') += unit;
  return quantity;
}

std::int64_t CsvTable::integer(std::size_t row, std::string_view column, std::int64_t min,
                               std::int64_t max) const {
  const std::string_view digits = text(row, column);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    refuse(row, column, "an integer is needed");
  }
  if (value < min) refuse(row, column, fmt::format("at least {} is needed", min));
  if (value > max) refuse(row, column, fmt::format("at most {} is possible", max));
  return value;
}

bool CsvTable::boolean(std::size_t row, std::string_view column) const {
  const std::string_view word = text(row, column);
  if (word != "true" && word != "false") refuse(row, column, "true or false is needed");
  return word == "true";
}

Duration CsvTable::duration(std::size_t row, std::string_view column) const {
  std::string why;
  const auto value = parse_duration(with_unit(row, column), why);
  return value ? *value : (refuse(row, column, why), Duration());
}

Duration CsvTable::rough_duration(std::size_t row, std::string_view column) const {
  std::string text = with_unit(row, column);
  std::string why;
  auto value = parse_duration(text, why);
  const std::size_t point = text.find('.');
  std::size_t end =
      text.find_first_not_of("0123456789", point == std::string::npos ? 0 : point + 1);
  for (; !value && point != std::string::npos && end != std::string::npos && end > point + 2;
       --end) {
    text.erase(end - 1, 1);
    value = parse_duration(text, why);
  }
  return value ? *value : duration(row, column);
}

Bytes CsvTable::size(std::size_t row, std::string_view column) const {
  std::string why;
  const auto value = parse_bytes(with_unit(row, column), why);
  return value ? *value : (refuse(row, column, why), Bytes());
}

Bandwidth CsvTable::bandwidth(std::size_t row, std::string_view column) const {
  std::string why;
  const auto value = parse_bandwidth(with_unit(row, column), why);
  return value ? *value : (refuse(row, column, why), Bandwidth());
}

void CsvTable::refuse(std::size_t row, std::string_view column, const std::string& needed) const {
  const std::string_view given = text(row, column);
  const std::string& unit = columns_[position(column)].unit;
  throw InputError(location(row),
                   fmt::format("{} is {}{}; {}", column, given.empty() ? "empty" : shortened(given),
                               unit.empty() ? "" : fmt::format(" [{}]", unit), needed));
}

}  // namespace loom
