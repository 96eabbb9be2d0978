#include "loom/foreign/rostam_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>

#include "loom/base/text.h"
#include "loom/foreign/rostam.pb.h"

namespace loom::foreign {
namespace {

constexpr int kMaxNodes = 1'000'000;
constexpr auto kLongestTime = std::chrono::floor<std::chrono::microseconds>(kLongestDuration);

[[noreturn]] void refuse(const RostamFile& file, const std::string& message) {
  throw InputError(location_of(file.source), message);
}

// True if a name is visible UTF-8 text without spaces, because names appear in error messages and
// in the text form of workloads.
bool plain(const std::string& name) {
  const bool visible = std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '\x7f';
  });
  return visible && !name.empty() && first_not_utf8(name) == name.size();
}

rostam_file::Profile profile_in(const RostamFile& file) {
  rostam_file::Profile profile;
  const bool fits = file.content.size() <= std::size_t{std::numeric_limits<std::int32_t>::max()};
  if (!fits || !profile.ParseFromString(file.content)) {
    refuse(file, "the file is not a Rostam profile; a protobuf message Profile is needed");
  }
  if (profile.nodes().empty()) refuse(file, "the profile has no nodes; at least one is needed");
  if (profile.nodes_size() > kMaxNodes) {
    refuse(file, fmt::format("the profile has {} nodes; at most {} are possible",
                             profile.nodes_size(), kMaxNodes));
  }
  return profile;
}

void check_types(const rostam_file::Op& op, const RostamFile& file) {
  if (rostam_file::Op::Type_IsValid(op.op_type()) && rostam_file::Op::Memory_IsValid(op.mem_type()))
    return;
  refuse(file,
         fmt::format("node '{}' has op_type {} and mem_type {}; 0 to {} and 0 to {} are known",
                     shortened(op.name()), static_cast<int>(op.op_type()),
                     static_cast<int>(op.mem_type()), static_cast<int>(rostam_file::Op::Type_MAX),
                     static_cast<int>(rostam_file::Op::Memory_MAX)));
}

std::int64_t checked(std::uint64_t value, std::string_view field, std::int64_t max,
                     const rostam_file::Op& op, const RostamFile& file) {
  if (value <= static_cast<std::uint64_t>(max)) return static_cast<std::int64_t>(value);
  refuse(file, fmt::format("node '{}' has {} {}; 0 to {} are possible", shortened(op.name()), field,
                           static_cast<std::int64_t>(value), max));
}

RostamNode node_of(const rostam_file::Op& op, int index, const RostamFile& file) {
  if (!plain(op.name())) {
    refuse(file,
           fmt::format("node {} has an invalid name; UTF-8 text without spaces is needed", index));
  }
  check_types(op, file);
  const auto bytes = [&](std::uint64_t value, std::string_view field) {
    return Bytes{checked(value, field, kLargestSize.count, op, file)};
  };
  const std::chrono::microseconds time(
      checked(op.comp_time_us(), "comp_time_us", kLongestTime.count(), op, file));
  return {.name = op.name(),
          .type = static_cast<RostamType>(op.op_type()),
          .memory = static_cast<RostamMemory>(op.mem_type()),
          .measured = {{time, bytes(op.num_bytes(), "num_bytes"),
                        bytes(op.output_bytes(), "output_bytes")}}};
}

int place_of_node(const std::string& name, std::string_view role, const RostamPlaces& places,
                  const RostamFile& file) {
  const auto found = places.find(name);
  if (found != places.end()) return found->second;
  refuse(file,
         fmt::format("{}, {}, is not a node; an edge needs two existing nodes",
                     plain(name) ? fmt::format("'{}'", shortened(name)) : "an invalid name", role));
}

void add_edges(std::vector<RostamNode>& nodes, const rostam_file::Profile& profile,
               const RostamFile& file) {
  const RostamPlaces places = places_of(nodes);
  for (const rostam_file::Adjacents& adjacents : profile.graph()) {
    const int from = place_of_node(adjacents.node(), "which has successors", places, file);
    RostamNode& node = nodes[static_cast<std::size_t>(from)];
    const std::string role = fmt::format("a successor of '{}'", shortened(node.name));
    for (const std::string& successor : adjacents.succs()) {
      node.successors.push_back(place_of_node(successor, role, places, file));
    }
  }
  for (RostamNode& node : nodes) {
    std::sort(node.successors.begin(), node.successors.end());
    node.successors.erase(std::unique(node.successors.begin(), node.successors.end()),
                          node.successors.end());
  }
}

std::vector<int> predecessor_counts(const std::vector<RostamNode>& nodes) {
  std::vector<int> counts(nodes.size());
  for (const RostamNode& node : nodes) {
    for (const int successor : node.successors) ++counts[static_cast<std::size_t>(successor)];
  }
  return counts;
}

// A node on a cycle. Every node with a count above 0 has a predecessor with a count above 0, so
// walking back far enough ends on a cycle.
const RostamNode& node_on_cycle(const std::vector<RostamNode>& nodes,
                                const std::vector<int>& counts) {
  std::vector<int> before(nodes.size(), -1);
  int at = -1;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (counts[i] == 0) continue;
    at = static_cast<int>(i);
    for (const int successor : nodes[i].successors)
      before[static_cast<std::size_t>(successor)] = at;
  }
  for (std::size_t step = 0; step < nodes.size(); ++step) at = before[static_cast<std::size_t>(at)];
  return nodes[static_cast<std::size_t>(at)];
}

// Topological order by Kahn's algorithm; ties are broken by the order in the file.
std::vector<int> topological_order(const std::vector<RostamNode>& nodes, const RostamFile& file) {
  std::vector<int> counts = predecessor_counts(nodes);
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (counts[i] == 0) ready.push(static_cast<int>(i));
  }
  std::vector<int> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const int successor : nodes[static_cast<std::size_t>(order.back())].successors) {
      if (--counts[static_cast<std::size_t>(successor)] == 0) ready.push(successor);
    }
  }
  if (order.size() == nodes.size()) return order;
  refuse(file, fmt::format("node '{}' waits for itself; a graph without cycles is needed",
                           shortened(node_on_cycle(nodes, counts).name)));
}

std::vector<RostamNode> in_order(std::vector<RostamNode> nodes, const std::vector<int>& order) {
  std::vector<int> place(nodes.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }
  std::vector<RostamNode> sorted;
  for (const int index : order) {
    sorted.push_back(std::move(nodes[static_cast<std::size_t>(index)]));
    std::vector<int>& successors = sorted.back().successors;
    for (int& successor : successors) successor = place[static_cast<std::size_t>(successor)];
    std::sort(successors.begin(), successors.end());
  }
  return sorted;
}

}  // namespace

RostamPlaces places_of(const std::vector<RostamNode>& nodes) {
  RostamPlaces places;
  places.reserve(nodes.size());
  for (const RostamNode& node : nodes) places.emplace(node.name, static_cast<int>(places.size()));
  return places;
}

std::vector<RostamNode> parse_rostam_file(const RostamFile& file) {
  const rostam_file::Profile profile = profile_in(file);
  std::vector<RostamNode> nodes;
  RostamPlaces names;
  for (const rostam_file::Op& op : profile.nodes()) {
    nodes.push_back(node_of(op, static_cast<int>(nodes.size()), file));
    if (!names.emplace(op.name(), 0).second) {
      refuse(file, fmt::format("node '{}' is listed twice; a unique name is needed",
                               shortened(op.name())));
    }
  }
  add_edges(nodes, profile, file);
  const std::vector<int> order = topological_order(nodes, file);
  return in_order(std::move(nodes), order);
}

}  // namespace loom::foreign
