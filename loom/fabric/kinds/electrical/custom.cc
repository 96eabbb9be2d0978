#include "loom/fabric/kinds/electrical/custom.h"

#include <fmt/format.h>

#include <utility>

#include "loom/base/files.h"
#include "loom/base/tree.h"
#include "loom/fabric/network/graph.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace custom {
namespace {

constexpr std::array kParameters = {
    Parameter{.name = "file",
              .type = ValueType::text,
              .summary = "file of links: YAML, or CSV if it ends in .csv",
              .required = true},
    Parameter{.name = "forwarding",
              .type = ValueType::boolean,
              .summary = "forwarding by devices, so that paths may pass through other devices",
              .fallback = "true"},
    routing_parameter("shortest")};

bool back_of(const Link& back, const Link& there) {
  return back.from == there.to && back.to == there.from && back.bandwidth == there.bandwidth &&
         back.latency == there.latency && back.members == there.members;
}

std::string quoted(const std::string& name) {
  std::string yaml = to_yaml(scalar_tree(name, {}));
  yaml.pop_back();
  return yaml;
}

// For each node, whether a message from `start` can reach it.
std::vector<bool> reached_from(const Graph& graph, NodeId start) {
  std::vector<bool> reached(static_cast<std::size_t>(graph.nodes()), false);
  std::vector<NodeId> open = {start};
  reached[static_cast<std::size_t>(start)] = true;
  while (!open.empty()) {
    const NodeId node = open.back();
    open.pop_back();
    if (node != start && !graph.forwards(node)) continue;
    for (const LinkId link : graph.leaving(node)) {
      const NodeId next = graph.links[static_cast<std::size_t>(link)].to;
      if (reached[static_cast<std::size_t>(next)]) continue;
      reached[static_cast<std::size_t>(next)] = true;
      open.push_back(next);
    }
  }
  return reached;
}

// Throws InputError unless every device has a route to every other device. If devices forward, it
// is enough that device 0 reaches all other devices and they reach device 0: every pair then has a
// route through device 0.
void refuse_islands(const Network& network, bool forwarding, const Settings& settings) {
  const Graph there = graph_of(network, forwarding);
  Network reversed = network;
  for (Link& link : reversed.links) std::swap(link.from, link.to);
  const Graph back = graph_of(reversed, forwarding);
  for (DeviceId device(0); device < (forwarding ? 1 : network.devices); ++device) {
    const std::vector<bool> to = reached_from(there, device);
    const std::vector<bool> from = reached_from(back, device);
    for (DeviceId other(0); other < network.devices; ++other) {
      if (to[static_cast<std::size_t>(other)] && from[static_cast<std::size_t>(other)]) continue;
      const bool reachable = to[static_cast<std::size_t>(other)];
      settings.refuse("file",
                      fmt::format("it has no path from device {} to device {}; every device "
                                  "needs one to every other",
                                  static_cast<int>(reachable ? other : device),
                                  static_cast<int>(reachable ? device : other)));
    }
  }
}

Network build(const Settings& settings, const FabricContext& context) {
  const SourceLocation location = settings.location("file");
  const std::string file = settings.text("file");
  const std::string path = location.line > 0 ? path_beside(*location.source, file) : file;
  Network network = read_custom_graph(read_file(path, location), path, path.ends_with(".csv"));
  if (network.devices != context.devices) {
    settings.refuse(
        "file", fmt::format("it has {} devices; {} are needed", network.devices, context.devices));
  }
  refuse_islands(network, settings.boolean("forwarding"), settings);
  network.router =
      graph_router(network, routing(settings), context.seed, settings.boolean("forwarding"));
  return network;
}

}  // namespace
}  // namespace custom

const FabricKind kCustomKind = {"custom", "a graph from a YAML or CSV file, link by link",
                                custom::kParameters, custom::build};

std::string to_text(const Network& network) {
  std::string text = "links:\n";
  for (std::size_t number = 0; number < network.links.size(); ++number) {
    const Link& link = network.links[number];
    const bool duplex =
        number + 1 < network.links.size() && custom::back_of(network.links[number + 1], link);
    const Bandwidth each{link.bandwidth.bits_per_second / link.members};
    text += fmt::format("  - {{from: {}, to: {}, bandwidth: {}, latency: {}{}{}}}\n",
                        custom::quoted(network.node_name(link.from)),
                        custom::quoted(network.node_name(link.to)), exact(each),
                        exact(link.latency), duplex ? "" : ", duplex: false",
                        link.members == 1 ? "" : fmt::format(", members: {}", link.members));
    number += duplex ? 1 : 0;
  }
  return text;
}

}  // namespace loom::fabric
