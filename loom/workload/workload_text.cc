// Writes a workload as YAML: `devices`, `groups` (named g0, g1, …) and `operations`, one per line.
#include <fmt/format.h>

#include "loom/base/tree.h"
#include "loom/workload/ranks.h"
#include "loom/workload/workload.h"

namespace loom::workload {
namespace {

Tree empty_tree(Tree::Kind kind) {
  Tree tree;
  tree.kind = kind;
  return tree;
}

void put(Tree& map, std::string key, std::string text) {
  map.entries.push_back({std::move(key), scalar_tree(std::move(text), {})});
}

Tree groups_tree(const Groups& groups, std::size_t index) {
  Tree map = empty_tree(Tree::Kind::map);
  put(map, "name", fmt::format("g{}", index));
  put(map, "size", std::to_string(groups.size));
  put(map, "members", ranks_text(groups.members));
  return map;
}

// The matrix of sizes in bytes, with rows separated by '/'.
std::string sizes_text(const std::vector<Bytes>& sizes, int ranks) {
  std::string out;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const bool new_row = i > 0 && i % static_cast<std::size_t>(ranks) == 0;
    out += fmt::format("{}{}", new_row ? " / " : i > 0 ? " " : "", sizes[i].count);
  }
  return out;
}

void put_collective(Tree& map, const Collective& collective, int ranks) {
  put(map, "collective", std::string(name_of(collective.kind)));
  put(map, "algorithm", std::string(name_of(collective.algorithm)));
  put(map, "size", exact(collective.size));
  if (collective.chunks != 1) put(map, "chunks", std::to_string(collective.chunks));
  if (!collective.levels.empty()) {
    put(map, "levels", fmt::format("{}", fmt::join(collective.levels, "x")));
  }
  if (!collective.steps.empty()) {
    put(map, "steps", fmt::format("{}", fmt::join(collective.steps, " ")));
  }
  if (!collective.sizes.empty()) put(map, "sizes", sizes_text(collective.sizes, ranks));
}

void put_action(Tree& map, const Workload& workload, const Operation& operation) {
  const auto pair = [&] {
    return fmt::format("{} -> {}", operation.source, operation.destination);
  };
  switch (operation.kind) {
    case OperationKind::compute:
      put(map, "compute", exact(operation.time));
      break;
    case OperationKind::message:
      put(map, "message", pair());
      put(map, "size", exact(operation.size));
      if (operation.behind >= 0) {
        put(map, "behind", workload.name(static_cast<std::size_t>(operation.behind)));
      }
      break;
    case OperationKind::receive:
      put(map, "receive", pair());
      break;
    case OperationKind::collective:
      put_collective(map, workload.collectives[static_cast<std::size_t>(operation.collective)],
                     workload.groups[static_cast<std::size_t>(operation.groups)].size);
      break;
  }
  if (operation.groups >= 0) put(map, "groups", fmt::format("g{}", operation.groups));
}

Tree operation_tree(const Workload& workload, std::size_t index) {
  const Operation& operation = workload.operations[index];
  Tree map = empty_tree(Tree::Kind::map);
  if (!workload.names.empty() && !workload.names[index].empty()) {
    put(map, "name", workload.names[index]);
  }
  put_action(map, workload, operation);
  if (operation.weight != 1) put(map, "weight", std::to_string(operation.weight));
  if (operation.start > Duration(0)) put(map, "start", exact(operation.start));
  std::string after;
  for (const std::uint32_t other : workload.waits_for(index)) {
    after += fmt::format("{}{}", after.empty() ? "" : " ", workload.name(other));
  }
  if (!after.empty()) put(map, "after", after);
  return map;
}

}  // namespace

std::string to_text(const Workload& workload) {
  Tree root = empty_tree(Tree::Kind::map);
  put(root, "devices", std::to_string(workload.devices));
  Tree groups = empty_tree(Tree::Kind::list);
  for (std::size_t i = 0; i < workload.groups.size(); ++i) {
    groups.items.push_back(groups_tree(workload.groups[i], i));
  }
  if (!groups.items.empty()) root.entries.push_back({"groups", std::move(groups)});
  Tree operations = empty_tree(Tree::Kind::list);
  for (std::size_t i = 0; i < workload.operations.size(); ++i) {
    operations.items.push_back(operation_tree(workload, i));
  }
  root.entries.push_back({"operations", std::move(operations)});
  return to_yaml(root);
}

}  // namespace loom::workload
