#include "loom/report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace loom::report {
namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

// The number in a text such as "21 ms", without the unit.
std::string number_of(const std::string& quantity) {
  return quantity.substr(0, quantity.find(' '));
}

// Converts a value in millionths to a number: an integer if possible, so that JSON shows 99 instead
// of 99.0.
nlohmann::ordered_json millionths(std::int64_t value) {
  if (value % 1'000'000 == 0) return value / 1'000'000;
  return static_cast<double>(value) / 1e6;
}

std::string machine(const Cell& cell) {
  return std::visit(
      Overloaded{[](std::monostate) { return std::string(); },
                 [](const std::string& text) { return text; },
                 [](std::int64_t number) { return fmt::format("{}", number); },
                 [](double number) { return fmt::format("{}", number); },
                 [](Duration time) { return fmt::format("{}", time.count()); },
                 [](Bytes size) { return fmt::format("{}", size.count); },
                 [](Bandwidth rate) { return fmt::format("{}", rate.bits_per_second); },
                 [](FlopRate rate) { return fmt::format("{}", rate.per_second); },
                 [](Money price) { return number_of(exact(price)); },
                 [](Power power) { return number_of(exact(power)); }},
      cell);
}

std::string_view unit(const Table& table, std::size_t column) {
  for (const auto& row : table.rows) {
    if (std::holds_alternative<Duration>(row[column])) return " [ps]";
    if (std::holds_alternative<Bytes>(row[column])) return " [B]";
    if (std::holds_alternative<Bandwidth>(row[column])) return " [bps]";
    if (std::holds_alternative<FlopRate>(row[column])) return " [flop/s]";
    if (std::holds_alternative<Money>(row[column])) return " [USD]";
    if (std::holds_alternative<Power>(row[column])) return " [W]";
  }
  return "";
}

// The width of a text on a terminal. UTF-8 continuation bytes take no column.
std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::string padded(const std::string& text, std::size_t to, bool right) {
  const std::string space(to - std::min(to, width(text)), ' ');
  return right ? space + text : text + space;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string to_text(const Cell& cell) {
  return std::visit(Overloaded{[](std::monostate) { return std::string("-"); },
                               [](const std::string& text) { return text; },
                               [](std::int64_t number) { return fmt::format("{}", number); },
                               [](double number) {
                                 return fmt::format("{:.{}f}", number, number < 10'000 ? 3 : 0);
                               },
                               [](const auto& quantity) { return readable(quantity); }},
                    cell);
}

std::string to_text(const Table& table) {
  const std::size_t count = table.columns.size();
  std::vector<std::size_t> widths;
  std::vector<bool> right(count, true);
  std::string heading;
  std::string rule;
  for (std::size_t c = 0; c < count; ++c) {
    std::string title = table.columns[c];
    std::replace(title.begin(), title.end(), '_', ' ');
    std::size_t widest = width(title);
    for (const auto& row : table.rows) {
      widest = std::max(widest, width(to_text(row[c])));
      if (std::holds_alternative<std::string>(row[c])) right[c] = false;
    }
    widths.push_back(widest);
    heading += (c > 0 ? "  " : "") + padded(title, widest, right[c]);
    rule += (c > 0 ? "  " : "") + std::string(widest, '-');
  }
  std::string out = trimmed(heading) + rule + "\n";
  for (const auto& row : table.rows) {
    std::string line;
    for (std::size_t c = 0; c < count; ++c) {
      line += (c > 0 ? "  " : "") + padded(to_text(row[c]), widths[c], right[c]);
    }
    out += trimmed(line);
  }
  return out;
}

std::string to_csv(const Table& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    out += fmt::format("{}{}{}", c > 0 ? "," : "", table.columns[c], unit(table, c));
  }
  out += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      out += (c > 0 ? "," : "") + csv_cell(machine(row[c]));
    }
    out += "\n";
  }
  return out;
}

nlohmann::ordered_json to_json(const Cell& cell) {
  return std::visit(
      Overloaded{[](std::monostate) { return nlohmann::ordered_json(nullptr); },
                 [](Duration time) { return nlohmann::ordered_json(time.count()); },
                 [](Bytes size) { return nlohmann::ordered_json(size.count); },
                 [](Bandwidth rate) { return nlohmann::ordered_json(rate.bits_per_second); },
                 [](FlopRate rate) { return nlohmann::ordered_json(rate.per_second); },
                 [](Money price) { return nlohmann::ordered_json(millionths(price.microdollars)); },
                 [](Power power) { return nlohmann::ordered_json(millionths(power.microwatts)); },
                 [](const auto& plain) { return nlohmann::ordered_json(plain); }},
      cell);
}

nlohmann::ordered_json to_json(const Table& table) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[table.columns[c]] = to_json(row[c]);
    list.push_back(std::move(object));
  }
  return list;
}

std::string to_text(const std::vector<std::pair<std::string, Cell>>& facts) {
  std::size_t widest = 0;
  for (const auto& [name, value] : facts) widest = std::max(widest, width(name));
  std::string out;
  for (const auto& [name, value] : facts) {
    std::string title = name;
    std::replace(title.begin(), title.end(), '_', ' ');
    out += trimmed(padded(title, widest + 2, false) + to_text(value));
  }
  return out;
}

}  // namespace loom::report
