// The price table as text and JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "loom/report/cost_tables.h"

namespace loom::report {
namespace {

std::vector<cost::PriceEntry> chosen(const cost::PriceTable& table, const std::string& component) {
  std::vector<cost::PriceEntry> entries;
  std::vector<std::string_view> known;
  for (const cost::PriceEntry& it : table.entries) {
    if (component.empty() || it.component == component) entries.push_back(it);
    if (known.empty() || known.back() != it.component) known.emplace_back(it.component);
  }
  if (entries.empty()) {
    throw InputError({}, fmt::format("there is no component '{}'{}; 'lightloom prices' lists them",
                                     component, suggestion(component, known)));
  }
  return entries;
}

Cell rate_cell(const cost::PriceEntry& entry) {
  return entry.rate.bits_per_second == 0 ? Cell() : Cell(entry.rate);
}

// Numbers footnotes from 1; entries with the same text share a footnote.
class Notes {
 public:
  std::int64_t number(const cost::Source& source) {
    const std::string text = (source.estimate ? "estimate: " : "") + source.text;
    const auto found = std::find(texts_.begin(), texts_.end(), text);
    if (found != texts_.end()) return found - texts_.begin() + 1;
    texts_.push_back(text);
    return static_cast<std::int64_t>(texts_.size());
  }

  std::string text() const {
    std::string lines;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      lines += fmt::format("{:4}  {}\n", i + 1, texts_[i]);
    }
    return lines;
  }

 private:
  std::vector<std::string> texts_;
};

}  // namespace

std::string prices_text(const cost::PriceTable& table, const std::string& component) {
  Notes notes;
  Table rows{{"component", "rate", "price", "price_from", "power", "power_from"}, {}};
  for (const cost::PriceEntry& it : chosen(table, component)) {
    rows.rows.push_back({it.component, rate_cell(it), it.price, notes.number(it.price_source),
                         it.power, notes.number(it.power_source)});
  }
  return fmt::format(
      "between rates: {}\nfloor: {} GPUs per rack, {} racks per row ({})\nenergy: {} per kWh, PUE "
      "{} ({})\n\n{}\nsources:\n{}",
      cost::kBetweenNames[static_cast<std::size_t>(table.between)], table.floor.gpus_per_rack,
      table.floor.racks_per_row, table.floor_source, exact(table.energy.kilowatt_hour),
      table.energy.pue, table.energy.source, to_text(rows), notes.text());
}

nlohmann::ordered_json prices_json(const cost::PriceTable& table, const std::string& component) {
  nlohmann::ordered_json json;
  json["between"] = cost::kBetweenNames[static_cast<std::size_t>(table.between)];
  json["gpus_per_rack"] = table.floor.gpus_per_rack;
  json["racks_per_row"] = table.floor.racks_per_row;
  json["floor_source"] = table.floor_source;
  json["energy_price"] = to_json(Cell(table.energy.kilowatt_hour));
  json["pue"] = table.energy.pue;
  json["energy_source"] = table.energy.source;
  json["components"] = nlohmann::ordered_json::array();
  for (const cost::PriceEntry& it : chosen(table, component)) {
    nlohmann::ordered_json entry;
    entry["component"] = it.component;
    entry["rate"] = to_json(rate_cell(it));
    entry["price"] = to_json(Cell(it.price));
    entry[it.price_source.estimate ? "price_estimate" : "price_source"] = it.price_source.text;
    entry["power"] = to_json(Cell(it.power));
    entry[it.power_source.estimate ? "power_estimate" : "power_source"] = it.power_source.text;
    json["components"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace loom::report
