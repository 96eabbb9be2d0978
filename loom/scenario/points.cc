#include "loom/scenario/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "loom/base/text.h"

namespace loom::scenario {
namespace {

constexpr std::ptrdiff_t kMaxDots = 7;  // in a path of --set

bool holds_maps(const Tree& list) {
  return !list.items.empty() && list.items.front().kind == Tree::Kind::map;
}

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

std::size_t count_values(const Tree& tree) {
  std::size_t count = 1;
  for (const Tree& item : tree.items) count += count_values(item);
  for (const auto& [key, value] : tree.entries) count += count_values(value);
  return count;
}

// The number of values in the largest point. A point has one item of each list, here the largest
// one, but all items of `changes` and `jobs`.
std::size_t point_size(const Tree& tree, bool top) {
  std::size_t size = 1;
  for (const Tree& item : tree.items) size = std::max(size, point_size(item, false));
  for (const auto& [key, value] : tree.entries) {
    const bool whole = top && (key == "changes" || key == "jobs");
    size += whole ? count_values(value) : point_size(value, false);
  }
  return size;
}

// Refuses a list of single ranks: [0, 1, 2] would be an axis with three collectives of one rank
// each, surely a mistake.
void refuse_listed_ranks(const Tree& list, const std::string& path) {
  const bool single = std::all_of(list.items.begin(), list.items.end(), [](const Tree& item) {
    return item.kind == Tree::Kind::scalar &&
           item.text.find_first_not_of("0123456789") == std::string::npos;
  });
  if (path == "workload.ranks" && single) {
    throw InputError(list.location,
                     "workload.ranks is a list of single ranks, which would be an axis; "
                     "one string is needed, such as 0-3 or \"0,1,2,3\"");
  }
}

void append(PointTree& variant, const std::string& key, const PointTree& choice) {
  variant.axes.insert(variant.axes.end(), choice.axes.begin(), choice.axes.end());
  if (variant.scenario.kind == Tree::Kind::list) {
    variant.scenario.items.push_back(choice.scenario);
  } else {
    variant.scenario.entries.push_back({key, choice.scenario});
  }
}

// Returns every combination of `variants` and `choices`. Each choice is added to the variant, under
// `key` in a map or at the end of a list. The choices vary fastest.
std::vector<PointTree> combine(std::vector<PointTree> variants, const std::string& key,
                               const std::vector<PointTree>& choices) {
  if (choices.size() == 1) {  // a constant is added in place
    for (PointTree& variant : variants) append(variant, key, choices.front());
    return variants;
  }
  std::vector<PointTree> combined;
  combined.reserve(variants.size() * choices.size());
  for (const PointTree& variant : variants) {
    for (const PointTree& choice : choices) {
      append(combined.emplace_back(variant), key, choice);
    }
  }
  return combined;
}

// Expands lists into points; refuses more than `max_points`.
class Expansion {
 public:
  explicit Expansion(std::size_t max_points) : max_points_(max_points) {}

  std::vector<PointTree> expand(const Tree& tree, const std::string& path) const {
    switch (tree.kind) {
      case Tree::Kind::scalar:
        return {{tree, {}}};
      case Tree::Kind::list:
        return expand_list(tree, path);
      case Tree::Kind::map:
        return expand_map(tree, path);
    }
    return {};
  }

 private:
  // Expands a list that is an axis: returns the variants of every item, one after another. An item
  // that is a scalar is recorded in the axes of its variant.
  std::vector<PointTree> expand_list(const Tree& tree, const std::string& path) const {
    if (tree.items.empty()) {
      throw InputError(tree.location, fmt::format("{} is an empty list; a value is needed", path));
    }
    refuse_listed_ranks(tree, path);
    std::vector<PointTree> variants;
    for (const Tree& item : tree.items) {
      if (item.kind == Tree::Kind::list) {
        throw InputError(item.location,
                         fmt::format("{} is a list of lists; a list of single values "
                                     "is needed",
                                     path));
      }
      for (PointTree& variant : expand(item, path)) {
        if (item.kind == Tree::Kind::scalar) variant.axes.emplace_back(path, item.text);
        variants.push_back(std::move(variant));
      }
      refuse_too_many(variants.size(), tree.location);
    }
    return variants;
  }

  // Expands a list that is no axis: keeps all items, and only lists inside the items are axes.
  std::vector<PointTree> expand_together(const Tree& tree, const std::string& path) const {
    if (tree.items.empty()) {
      throw InputError(tree.location, fmt::format("{} is an empty list; a map is needed", path));
    }
    PointTree empty;
    empty.scenario.kind = Tree::Kind::list;
    empty.scenario.location = tree.location;
    std::vector<PointTree> variants = {empty};
    for (std::size_t i = 0; i < tree.items.size(); ++i) {
      const std::vector<PointTree> choices = expand(tree.items[i], fmt::format("{}.{}", path, i));
      refuse_too_many(variants.size() * choices.size(), tree.items[i].location);
      variants = combine(std::move(variants), "", choices);
    }
    return variants;
  }

  std::vector<PointTree> expand_map(const Tree& tree, const std::string& path) const {
    PointTree empty;
    empty.scenario.kind = Tree::Kind::map;
    empty.scenario.location = tree.location;
    std::vector<PointTree> variants = {empty};
    for (const auto& [key, value] : tree.entries) {
      const bool one_of_many = path.empty() && key == "fabrics";
      const bool plain_list = path.empty() && key == "changes";
      const bool together = path.empty() && key == "jobs" && value.kind == Tree::Kind::list;
      const std::vector<PointTree> choices =
          plain_list ? std::vector<PointTree>{{value, {}}}
          : together ? expand_together(value, key)
                     : expand(value, one_of_many ? "fabric" : joined(path, key));
      refuse_too_many(variants.size() * choices.size(), value.location);
      variants = combine(std::move(variants), one_of_many ? "fabric" : key, choices);
    }
    return variants;
  }

  void refuse_too_many(std::size_t points, const SourceLocation& location) const {
    if (points <= max_points_) return;
    throw InputError(
        location,
        fmt::format("the lists make more than {} points; fewer values are needed", max_points_));
  }

  std::size_t max_points_;
};

void refuse_no_map(const Tree& scenario) {
  if (scenario.kind == Tree::Kind::map) return;
  throw InputError(scenario.location,
                   "the scenario is not a map; a map with workload, gpus and fabric is needed");
}

// Sets the value below `tree` at the remaining `path`.
void assign(Tree& tree, std::string_view path, const Tree& value) {
  const std::size_t dot = path.find('.');
  const std::string key(path.substr(0, dot));
  const auto descend = [&](Tree& below) {
    dot == std::string_view::npos ? void(below = value)
                                  : assign(below, path.substr(dot + 1), value);
  };
  if (tree.kind == Tree::Kind::list) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc() || end != key.data() + key.size() || index >= tree.items.size()) {
      throw InputError(value.location,
                       fmt::format("'{}' is no index into a list of {}; its values are "
                                   "numbered from 0",
                                   key, tree.items.size()));
    }
    return descend(tree.items[index]);
  }
  if (tree.kind == Tree::Kind::scalar) {
    throw InputError(value.location,
                     fmt::format("'{}' is set below a single value; a map or list is "
                                 "needed there",
                                 key));
  }
  if (Tree* found = tree.find(key)) return descend(*found);
  Tree fresh;
  fresh.kind = dot == std::string_view::npos ? Tree::Kind::scalar : Tree::Kind::map;
  fresh.location = value.location;
  tree.entries.push_back({key, std::move(fresh)});
  descend(tree.entries.back().value);
}

}  // namespace

std::vector<PointTree> expand_axes(const Tree& scenario) {
  refuse_no_map(scenario);
  const Tree* fabrics = scenario.find("fabrics");
  if (fabrics != nullptr && (fabrics->kind != Tree::Kind::list || !holds_maps(*fabrics))) {
    throw InputError(fabrics->location,
                     "fabrics is not a list of maps; a list of {kind: switch, …} is needed");
  }
  if (fabrics != nullptr && scenario.find("fabric") != nullptr) {
    throw InputError(fabrics->location, "both fabric and fabrics are given; one of them is needed");
  }
  const std::size_t max_points = std::min(kMaxPoints, kMaxValues / point_size(scenario, true));
  return Expansion(std::max<std::size_t>(max_points, 1)).expand(scenario, "");
}

void override_value(Tree& scenario, const std::string& assignment) {
  const SourceLocation location = location_of("--set " + assignment);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size()) {
    throw InputError(location, "a path and a value are needed, such as fabric.bandwidth=800Gbps");
  }
  const std::string path = assignment.substr(0, equals);
  const bool blank =
      path.starts_with('.') || path.ends_with('.') || path.find("..") != std::string::npos;
  if (blank || std::count(path.begin(), path.end(), '.') > kMaxDots) {
    throw InputError(location,
                     fmt::format("'{}' is no path; at most {} names separated by dots are "
                                 "needed",
                                 shortened(path), kMaxDots + 1));
  }
  const Tree value = parse_yaml_value(assignment.substr(equals + 1), location);
  refuse_no_map(scenario);
  Tree* fabrics = scenario.find("fabrics");
  if (path.starts_with("fabric.") && fabrics != nullptr && fabrics->kind == Tree::Kind::list) {
    for (Tree& fabric : fabrics->items) assign(fabric, path.substr(7), value);
    return;
  }
  assign(scenario, path, value);
}

}  // namespace loom::scenario
