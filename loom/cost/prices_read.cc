// Reads and writes price tables as YAML.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "loom/base/files.h"
#include "loom/base/renamed.h"
#include "loom/base/settings.h"
#include "loom/cost/prices.h"

namespace loom::cost {
namespace {

constexpr std::array kTable = {
    Parameter{.name = "between",
              .type = ValueType::choice,
              .summary = "rule for the price at rates that the table does not list",
              .choices = kBetweenNames},
    Parameter{.name = "gpus_per_rack",
              .type = ValueType::integer,
              .summary = "devices in a rack, whose links are copper; 1: no link is copper",
              .min = 1,
              .max = 100'000},
    Parameter{.name = "racks_per_row",
              .type = ValueType::integer,
              .summary = "racks in a row, whose links are short fibers",
              .min = 1,
              .max = 100'000},
    Parameter{.name = "floor_source",
              .type = ValueType::text,
              .summary = "source of gpus_per_rack and racks_per_row"},
    Parameter{.name = "energy_price", .type = ValueType::money, .summary = "price of one kWh"},
    Parameter{.name = "pue",
              .type = ValueType::real,
              .summary = "power of the data center divided by the power of its equipment"},
    Parameter{.name = "energy_source",
              .type = ValueType::text,
              .summary = "source of energy_price and pue"}};

constexpr std::array<Parameter, 8> kEntry = {{
    {.name = "component",
     .type = ValueType::text,
     .summary = "component name, such as nic",
     .required = true},
    {.name = "rate",
     .type = ValueType::bandwidth,
     .summary = "line rate of the component; any rate if not given",
     .min = 1},
    {.name = "price", .type = ValueType::money, .summary = "price of one unit"},
    {.name = "power", .type = ValueType::power, .summary = "power draw of one unit"},
    {.name = "price_source", .type = ValueType::text, .summary = "source of the price"},
    {.name = "price_estimate", .type = ValueType::text, .summary = "basis of an estimated price"},
    {.name = "power_source", .type = ValueType::text, .summary = "source of the power figure"},
    {.name = "power_estimate",
     .type = ValueType::text,
     .summary = "basis of an estimated power figure"},
}};

std::string named(const PriceEntry& entry) {
  return entry.rate.bits_per_second == 0
             ? entry.component
             : fmt::format("{} at {}", entry.component, exact(entry.rate));
}

// Source of `what` (price or power); the file itself if none is given.
Source read_source(const Settings& settings, std::string_view what) {
  const std::string source = fmt::format("{}_source", what);
  const std::string estimate = fmt::format("{}_estimate", what);
  if (settings.given(source) && settings.given(estimate)) {
    settings.refuse(estimate,
                    fmt::format("{} is given too; only one of the two is possible", source));
  }
  if (settings.given(estimate)) return {settings.text(estimate), true};
  if (settings.given(source)) return {settings.text(source), false};
  return {*settings.location().source, false};
}

// Overwrites the entry with the figures that the file gives for this component and rate.
void fill(const Settings& settings, PriceEntry& entry, bool fresh) {
  for (const std::string_view what : {"price", "power"}) {
    if (settings.given(what)) continue;
    if (fresh) {
      throw InputError(settings.location(),
                       fmt::format("{} lacks '{}', and no other table has it", named(entry), what));
    }
    for (const std::string_view kind : {"source", "estimate"}) {
      const std::string key = fmt::format("{}_{}", what, kind);
      if (settings.given(key))
        settings.refuse(key, fmt::format("it needs a {} in the same entry", what));
    }
  }
  entry.location = settings.location();
  if (settings.given("price")) {
    entry.price = settings.money("price");
    entry.price_source = read_source(settings, "price");
  }
  if (settings.given("power")) {
    entry.power = settings.power("power");
    entry.power_source = read_source(settings, "power");
  }
}

PriceEntry read_key(const Settings& settings) {
  PriceEntry entry;
  entry.component = settings.text("component");
  if (settings.given("rate")) entry.rate = settings.bandwidth("rate");
  return entry;
}

bool same_key(const PriceEntry& a, const PriceEntry& b) {
  return a.component == b.component && a.rate == b.rate;
}

// Rejects the old name of a renamed component, which would define a new component that no fabric
// uses.
void refuse_renamed(const PriceTable& table, const Settings& settings) {
  std::vector<std::string_view> names;
  for (const PriceEntry& it : table.entries) names.push_back(it.component);
  if (const auto now = renamed(settings.text("component"), names)) {
    settings.refuse("component", fmt::format("it was renamed; write {}", *now));
  }
}

// Adds the entry to the table or overrides an entry. A component has either one price for all rates
// or one price per rate: an entry of one type removes the component's entries of the other type.
void put(PriceTable& table, const Settings& settings) {
  PriceEntry entry = read_key(settings);
  const bool any = entry.rate.bits_per_second == 0;
  std::erase_if(table.entries, [&](const PriceEntry& it) {
    return it.component == entry.component && (it.rate.bits_per_second == 0) != any;
  });
  const auto known = std::find_if(table.entries.begin(), table.entries.end(),
                                  [&](const PriceEntry& it) { return same_key(it, entry); });
  if (known != table.entries.end()) return fill(settings, *known, false);
  refuse_renamed(table, settings);
  fill(settings, entry, true);
  // Inserted after the component's lower rates; a new component goes to the end.
  auto location = table.entries.end();
  for (auto it = table.entries.begin(); it != table.entries.end(); ++it) {
    if (it->component == entry.component && it->rate < entry.rate) location = std::next(it);
    if (it->component == entry.component && entry.rate < it->rate) {
      location = it;
      break;
    }
  }
  table.entries.insert(location, std::move(entry));
}

// Within one file, a component may not occur twice at one rate, nor both with and without a rate.
void refuse_twice(const PriceEntry& entry, const std::vector<PriceEntry>& before,
                  const SourceLocation& location) {
  for (const PriceEntry& it : before) {
    if (it.component != entry.component) continue;
    if (it.rate == entry.rate) {
      throw InputError(location,
                       fmt::format("{} is listed twice; one entry is needed", named(entry)));
    }
    if (it.rate.bits_per_second == 0 || entry.rate.bits_per_second == 0) {
      throw InputError(
          location,
          fmt::format("{} is listed both with and without a rate; one of the two is needed",
                      entry.component));
    }
  }
}

void refuse_falling(const PriceTable& table, const std::string& source) {
  for (std::size_t i = 1; i < table.entries.size(); ++i) {
    const PriceEntry& low = table.entries[i - 1];
    const PriceEntry& high = table.entries[i];
    if (low.component != high.component || high.price >= low.price) continue;
    const SourceLocation& location = *high.location.source == source ? high.location : low.location;
    throw InputError(
        location, fmt::format("{} costs {}, less than {} at {}; prices must not fall "
                              "with the rate",
                              named(high), exact(high.price), exact(low.price), exact(low.rate)));
  }
}

void read_floor(const Settings& settings, PriceTable& table) {
  const bool rack = settings.given("gpus_per_rack");
  const bool row = settings.given("racks_per_row");
  if (rack) table.floor.gpus_per_rack = static_cast<int>(settings.integer("gpus_per_rack"));
  if (row) table.floor.racks_per_row = static_cast<int>(settings.integer("racks_per_row"));
  if (settings.given("floor_source")) {
    table.floor_source = settings.text("floor_source");
  } else if (rack || row) {
    table.floor_source = *settings.location().source;
  }
}

void read_energy(const Settings& settings, PriceTable& table) {
  constexpr double kLargestPue = 100;
  const bool price = settings.given("energy_price");
  const bool pue = settings.given("pue");
  if (price) table.energy.kilowatt_hour = settings.money("energy_price");
  if (pue) table.energy.pue = settings.real("pue");
  if (table.energy.pue < 1 || table.energy.pue > kLargestPue) {
    settings.refuse("pue", "a value from 1 to 100 is needed");
  }
  if (settings.given("energy_source")) {
    table.energy.source = settings.text("energy_source");
  } else if (price || pue) {
    table.energy.source = *settings.location().source;
  }
}

const Tree* component_list(const Tree& tree) {
  const Tree* list = tree.find("components");
  if (list != nullptr && list->kind != Tree::Kind::list) {
    throw InputError(list->location,
                     "prices.components is not a list; a list of {component: …, price: …} is "
                     "needed");
  }
  return list;
}

void add_scalar(Tree& map, std::string key, std::string text) {
  map.entries.push_back({std::move(key), scalar_tree(std::move(text), {})});
}

}  // namespace

PriceTable read_prices(std::string_view text, const std::string& source, PriceTable base) {
  constexpr std::array<std::string_view, 1> kElsewhere = {"components"};
  const Tree tree = parse_yaml(text, source);
  if (tree.kind != Tree::Kind::map) {
    throw InputError(tree.location,
                     "the prices are not a map; a map with between and components is needed");
  }
  const Settings settings(tree, kTable, "prices", kElsewhere);
  if (settings.given("between")) {
    const auto found =
        std::find(kBetweenNames.begin(), kBetweenNames.end(), settings.text("between"));
    base.between = static_cast<BetweenRates>(found - kBetweenNames.begin());
  }
  read_floor(settings, base);
  read_energy(settings, base);
  const Tree* list = component_list(tree);
  std::vector<PriceEntry> seen;
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const Tree& item = list->items[i];
    if (item.kind != Tree::Kind::map) {
      throw InputError(item.location,
                       "a price is not a map; a map with component, price and power is "
                       "needed");
    }
    const Settings entry(item, kEntry, "price");
    refuse_twice(read_key(entry), seen, entry.location());
    seen.push_back(read_key(entry));
    put(base, entry);
  }
  refuse_falling(base, source);
  return base;
}

const PriceTable& built_in_prices() {
  static const PriceTable kPrices = read_prices(built_in_prices_text(), "built-in prices", {});
  return kPrices;
}

PriceTable prices_from(const std::string& path, const SourceLocation& from) {
  constexpr std::size_t kLargest = 4 << 20;
  return read_prices(read_file(path, from, kLargest), path, built_in_prices());
}

std::string to_yaml(const PriceTable& table) {
  Tree tree;
  tree.kind = Tree::Kind::map;
  add_scalar(tree, "between", std::string(kBetweenNames[static_cast<std::size_t>(table.between)]));
  add_scalar(tree, "gpus_per_rack", fmt::format("{}", table.floor.gpus_per_rack));
  add_scalar(tree, "racks_per_row", fmt::format("{}", table.floor.racks_per_row));
  add_scalar(tree, "floor_source", table.floor_source);
  add_scalar(tree, "energy_price", exact(table.energy.kilowatt_hour));
  add_scalar(tree, "pue", fmt::format("{}", table.energy.pue));
  add_scalar(tree, "energy_source", table.energy.source);
  Tree list;
  list.kind = Tree::Kind::list;
  for (const PriceEntry& it : table.entries) {
    Tree entry;
    entry.kind = Tree::Kind::map;
    add_scalar(entry, "component", it.component);
    if (it.rate.bits_per_second > 0) add_scalar(entry, "rate", exact(it.rate));
    add_scalar(entry, "price", exact(it.price));
    add_scalar(entry, "power", exact(it.power));
    add_scalar(entry, it.price_source.estimate ? "price_estimate" : "price_source",
               it.price_source.text);
    add_scalar(entry, it.power_source.estimate ? "power_estimate" : "power_source",
               it.power_source.text);
    list.items.push_back(std::move(entry));
  }
  tree.entries.push_back({"components", std::move(list)});
  return to_yaml(tree);
}

}  // namespace loom::cost
