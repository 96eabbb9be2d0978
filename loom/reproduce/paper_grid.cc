#include "loom/reproduce/paper_grid.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/error.h"

namespace loom::reproduce {
namespace {

const std::string& scalar(const Tree& tree) {
  if (tree.kind != Tree::Kind::scalar) {
    throw InputError(tree.location, "a map or list is given; a single value is needed");
  }
  return tree.text;
}

// Whether the name is a key of the scenario. An axis with such a name sets the key; other axes only
// name values.
bool is_key(const std::string& name) {
  const auto parameters = scenario::scenario_parameters();
  return name.find('.') != std::string::npos ||
         std::any_of(parameters.begin(), parameters.end(),
                     [&](const Parameter& it) { return it.name == name; });
}

GridAxis read_axis(const TreeEntry& entry) {
  GridAxis axis{entry.key, {}};
  if (entry.value.kind == Tree::Kind::list) {
    for (const Tree& item : entry.value.items) {
      GridValue& value = axis.values.emplace_back(GridValue{scalar(item), {}});
      if (is_key(entry.key)) value.sets.emplace_back(entry.key, value.name);
    }
  }
  for (const TreeEntry& named : entry.value.entries) {
    GridValue& value = axis.values.emplace_back(GridValue{named.key, {}});
    for (const TreeEntry& set : named.value.entries) {
      value.sets.emplace_back(set.key, scalar(set.value));
    }
  }
  if (axis.values.empty()) {
    throw InputError(entry.value.location, fmt::format("the axis '{}' has no values", entry.key));
  }
  return axis;
}

// Keeps only the values that the reduced run names.
void reduce(std::vector<GridAxis>& axes, const Tree& quick) {
  for (const TreeEntry& entry : quick.entries) {
    const auto axis = std::find_if(axes.begin(), axes.end(),
                                   [&](const GridAxis& it) { return it.name == entry.key; });
    if (axis == axes.end()) {
      throw InputError(entry.value.location, fmt::format("there is no axis '{}'", entry.key));
    }
    std::erase_if(axis->values, [&](const GridValue& value) {
      return std::none_of(entry.value.items.begin(), entry.value.items.end(),
                          [&](const Tree& item) { return scalar(item) == value.name; });
    });
    if (axis->values.empty()) {
      throw InputError(
          entry.value.location,
          fmt::format("no value of the axis '{}' is left; at least one of its values is needed",
                      entry.key));
    }
  }
}

void replace_all(std::string& text, const std::string& name, const std::string& value) {
  for (std::size_t i = text.find(name); i != std::string::npos; i = text.find(name, i)) {
    text.replace(i, name.size(), value);
    i += value.size();
  }
}

std::string filled(std::string text, const PaperGrid& grid, const std::vector<int>& at) {
  for (std::size_t a = 0; a < grid.axes.size(); ++a) {
    const GridValue& value = grid.axes[a].values[static_cast<std::size_t>(at[a])];
    replace_all(text, "$" + grid.axes[a].name, value.name);
    for (const auto& set : value.sets) {
      if (set.first.starts_with('$')) replace_all(text, set.first, set.second);
    }
  }
  return text;
}

GridPoint point_at(const PaperGrid& grid, const std::vector<int>& at, const Tree& scenario) {
  std::vector<std::string> overrides;
  for (std::size_t a = 0; a < grid.axes.size(); ++a) {
    for (const auto& set : grid.axes[a].values[static_cast<std::size_t>(at[a])].sets) {
      if (set.first.starts_with('$')) continue;
      overrides.push_back(set.first + "=" + filled(set.second, grid, at));
    }
  }
  std::vector<scenario::Scenario> points = scenario::read_scenarios(scenario, overrides);
  if (points.size() != 1) {
    throw InputError(scenario.location,
                     "a point of the grid makes several scenarios; exactly one is needed");
  }
  return {at, std::move(points.front())};
}

}  // namespace

int PaperGrid::axis(const std::string& name) const {
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (axes[a].name == name) return static_cast<int>(a);
  }
  return -1;
}

const std::string& PaperGrid::value(const GridPoint& point, int axis) const {
  const auto a = static_cast<std::size_t>(axis);
  return axes[a].values[static_cast<std::size_t>(point.at[a])].name;
}

PaperGrid read_grid(const Tree& section, const Tree& scenario, bool quick) {
  PaperGrid grid;
  for (const TreeEntry& entry : section.find("grid")->entries)
    grid.axes.push_back(read_axis(entry));
  const Tree* reduced = section.find("quick");
  if (quick && reduced != nullptr) reduce(grid.axes, *reduced);
  std::vector<int> at(grid.axes.size(), 0);
  for (bool more = true; more;) {
    grid.points.push_back(point_at(grid, at, scenario));
    std::size_t a = grid.axes.size();
    while (a > 0 && ++at[a - 1] == static_cast<int>(grid.axes[a - 1].values.size())) at[--a] = 0;
    more = a > 0;
  }
  return grid;
}

}  // namespace loom::reproduce
