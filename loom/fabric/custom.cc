#include "loom/fabric/custom.h"

#include <fmt/format.h>

#include "loom/base/files.h"
#include "loom/base/tree.h"
#include "loom/fabric/parameters.h"

namespace loom {
namespace {

constexpr std::array kParameters = {Parameter{.name = "file",
                                              .type = ValueType::text,
                                              .summary = "the links, as YAML or (.csv) as CSV",
                                              .required = true},
                                    Parameter{.name = "forwarding",
                                              .type = ValueType::flag,
                                              .summary = "a way may lead through other devices",
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

Network build(const Settings& settings, const FabricContext& context) {
  const Place place = settings.place("file");
  const std::string file = settings.text("file");
  const std::string path = place.line > 0 ? path_beside(*place.source, file) : file;
  Network network = read_custom_graph(read_file(path, place), path, path.ends_with(".csv"));
  if (network.devices != context.devices) {
    settings.refuse(
        "file", fmt::format("it has {} devices; {} are needed", network.devices, context.devices));
  }
  network.router =
      graph_router(network, routing(settings), context.seed, settings.flag("forwarding"));
  return network;
}

}  // namespace

const FabricKind kCustomKind = {"custom", "a graph from a YAML or CSV file, link by link",
                                kParameters, build};

std::string to_text(const Network& network) {
  std::string text = "links:\n";
  for (std::size_t number = 0; number < network.links.size(); ++number) {
    const Link& link = network.links[number];
    const bool two_way =
        number + 1 < network.links.size() && back_of(network.links[number + 1], link);
    const Bandwidth each{link.bandwidth.bits_per_second / link.members};
    text += fmt::format("  - {{from: {}, to: {}, bandwidth: {}, latency: {}{}{}}}\n",
                        quoted(network.node_name(link.from)), quoted(network.node_name(link.to)),
                        exact(each), exact(link.latency), two_way ? "" : ", two_way: false",
                        link.members == 1 ? "" : fmt::format(", members: {}", link.members));
    number += two_way ? 1 : 0;
  }
  return text;
}

}  // namespace loom
