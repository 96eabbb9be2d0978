// Reads the text form of a workload and validates it for the engines: every device exists, every
// group and operation named is defined, every collective can be scheduled. Cyclic waits are
// accepted; the engines report them as a deadlock.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "loom/base/random.h"
#include "loom/base/tree.h"
#include "loom/workload/group_reader.h"
#include "loom/workload/workload_keys.h"

namespace loom::workload {
namespace {

// In the order of OperationKind.
constexpr std::string_view kKinds[] = {"compute", "message", "receive", "collective"};

std::span<const Tree> maps_in(const Tree& root, std::string_view key) {
  const Tree* list = root.find(key);
  if (list == nullptr) return {};
  if (list->kind != Tree::Kind::list) {
    throw InputError(list->location,
                     fmt::format("{} is not a list; a list of maps is needed", key));
  }
  for (const Tree& item : list->items) {
    if (item.kind == Tree::Kind::map) continue;
    throw InputError(item.location,
                     fmt::format("an entry of {} is not a map; {{key: value, …}} is needed", key));
  }
  return list->items;
}

std::optional<OperationKind> kind_of(const Tree& map) {
  for (std::size_t kind = 0; kind < std::size(kKinds); ++kind) {
    if (map.find(kKinds[kind]) != nullptr) return static_cast<OperationKind>(kind);
  }
  return std::nullopt;
}

std::uint64_t hash_of(const Collective& collective, int ranks) {
  std::uint64_t hash = mix(static_cast<std::uint64_t>(collective.kind) * 16 +
                               static_cast<std::uint64_t>(collective.algorithm),
                           static_cast<std::uint64_t>(collective.chunks));
  hash = mix(hash, static_cast<std::uint64_t>(ranks));
  hash = mix(hash, static_cast<std::uint64_t>(collective.size.count));
  for (const int level : collective.levels) hash = mix(hash, static_cast<std::uint64_t>(level));
  for (const int step : collective.steps) hash = mix(hash, static_cast<std::uint64_t>(step));
  for (const Bytes size : collective.sizes) {
    hash = mix(hash, static_cast<std::uint64_t>(size.count));
  }
  return hash;
}

std::optional<int> parse_number(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class Reader {
 public:
  Reader(const Tree& root, int devices) : collective_keys_(keys::collective()), groups_(devices) {
    workload_.devices = devices;
    for (const Tree& map : maps_in(root, "groups")) groups_.read_entry(map);
    maps_ = maps_in(root, "operations");
    read_names();
    for (const Tree& map : maps_) read_operation(map);
    workload_.groups = std::move(groups_.groups());
  }

  Workload take() { return std::move(workload_); }

 private:
  // Reads all names first, because an operation may wait for a later one.
  void read_names() {
    for (std::size_t i = 0; i < maps_.size(); ++i) {
      const std::string name = checked_name(maps_[i], "operation");
      if (name.empty()) continue;
      if (!operations_.emplace(name, static_cast<std::uint32_t>(i)).second) {
        throw InputError(maps_[i].location,
                         fmt::format("operation.name is {}; a unique name is needed", name));
      }
      workload_.names.resize(maps_.size());
      workload_.names[i] = name;
    }
  }

  void read_operation(const Tree& map) {
    const auto kind = kind_of(map);
    if (!kind) {
      throw InputError(map.location,
                       fmt::format("operation has no kind; one of the keys {} is needed",
                                   fmt::join(kKinds, ", ")));
    }
    const Settings settings(map, keys_of(*kind), "operation");
    Operation operation{.kind = *kind};
    switch (*kind) {
      case OperationKind::compute:
        operation.time = settings.duration("compute");
        operation.groups = groups_.groups_of(settings, "device");
        break;
      case OperationKind::message:
        read_pair(settings, "message", operation);
        operation.size = settings.size("size");
        if (settings.has("behind")) operation.behind = message_ahead(settings);
        break;
      case OperationKind::receive:
        read_pair(settings, "receive", operation);
        break;
      case OperationKind::collective:
        operation.groups = groups_.groups_of(settings, "ranks");
        operation.collective = collective_of(settings, operation.groups);
        break;
    }
    if (*kind == OperationKind::message || *kind == OperationKind::collective) {
      operation.weight = static_cast<std::int32_t>(settings.integer("weight"));
    }
    operation.start = settings.duration("start");
    read_waits(settings, operation);
    workload_.operations.push_back(operation);
  }

  std::span<const Parameter> keys_of(OperationKind kind) const {
    switch (kind) {
      case OperationKind::compute:
        return keys::kCompute;
      case OperationKind::message:
        return keys::kMessage;
      case OperationKind::receive:
        return keys::kReceive;
      case OperationKind::collective:
        break;
    }
    return collective_keys_;
  }

  int collective_of(const Settings& settings, int groups) {
    const int ranks = groups_.groups()[static_cast<std::size_t>(groups)].size;
    const Collective collective = read_collective(settings, ranks);
    auto& same_hash = collectives_[hash_of(collective, ranks)];
    for (const auto& [index, its_ranks] : same_hash) {
      const Collective& other = workload_.collectives[static_cast<std::size_t>(index)];
      if (its_ranks == ranks && other == collective) return index;
    }
    same_hash.emplace_back(static_cast<int>(workload_.collectives.size()), ranks);
    workload_.collectives.push_back(collective);
    return same_hash.back().first;
  }

  void read_pair(const Settings& settings, std::string_view key, Operation& operation) const {
    const std::string text = settings.text(key);
    const std::size_t arrow = std::min(text.find("->"), text.size());
    const auto source = parse_number(std::string_view(text).substr(0, arrow));
    const auto destination =
        parse_number(std::string_view(text).substr(std::min(arrow + 2, text.size())));
    if (!source || !destination || *source == *destination) {
      settings.refuse(key, "two different devices are needed, such as 0 -> 1");
    }
    check_device(settings, key, *source, workload_.devices);
    check_device(settings, key, *destination, workload_.devices);
    operation.source = *source;
    operation.destination = *destination;
  }

  void read_waits(const Settings& settings, Operation& operation) {
    operation.first_after = static_cast<std::uint32_t>(workload_.after.size());
    if (!settings.has("after")) return;
    const std::string text = settings.text("after");
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      if (!name.empty()) workload_.after.push_back(operation_named(settings, "after", name));
    }
    operation.after_count =
        static_cast<std::uint32_t>(workload_.after.size()) - operation.first_after;
  }

  // Finds an operation by name, or by index as #7.
  std::uint32_t operation_named(const Settings& settings, std::string_view key,
                                std::string_view name) const {
    if (name.starts_with('#')) {
      const auto number = parse_number(name.substr(1));
      if (number && *number >= 0 && static_cast<std::size_t>(*number) < maps_.size()) {
        return static_cast<std::uint32_t>(*number);
      }
    } else if (const auto found = operations_.find(std::string(name)); found != operations_.end()) {
      return found->second;
    }
    std::vector<std::string_view> known;
    for (const std::string& candidate : workload_.names) known.push_back(candidate);
    settings.refuse(key, fmt::format("no operation is called {}{}", name.substr(0, kLongestName),
                                     name.size() > kLongestName ? "" : suggestion(name, known)));
  }

  // Index of the message that the next operation to be added is behind.
  std::int32_t message_ahead(const Settings& settings) {
    const std::uint32_t ahead = operation_named(settings, "behind", settings.text("behind"));
    if (kind_of(maps_[ahead]) != OperationKind::message || ahead == workload_.operations.size()) {
      settings.refuse("behind", "another message is needed");
    }
    if (!followed_.insert(ahead).second) {
      settings.refuse("behind", "another message is already behind it; at most one is possible");
    }
    return static_cast<std::int32_t>(ahead);
  }

  Workload workload_;
  std::span<const Tree> maps_;  // maps of the operations
  const std::vector<Parameter> collective_keys_;
  GroupReader groups_;
  std::unordered_map<std::string, std::uint32_t> operations_;  // by name
  // Collectives by hash: index in the workload, and number of ranks.
  std::unordered_map<std::uint64_t, std::vector<std::pair<int, int>>> collectives_;
  std::unordered_set<std::uint32_t> followed_;  // messages with another message behind them
};

}  // namespace

Workload parse_workload(const std::string& text, const std::string& source) {
  const Tree root = parse_yaml(text, source);
  if (root.kind != Tree::Kind::map) {
    throw InputError(root.location, "a workload is a map of devices, groups and operations");
  }
  const Settings top(root, keys::kTop, "workload", keys::kLists);
  return Reader(root, static_cast<int>(top.integer("devices"))).take();
}

}  // namespace loom::workload
