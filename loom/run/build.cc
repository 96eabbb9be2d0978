#include "loom/run/build.h"

#include "loom/base/files.h"
#include "loom/fabric/kinds/electrical/custom.h"
#include "loom/scenario/task_graph.h"

namespace loom::run {
namespace {

fabric::Network replaced_links(fabric::Network network, const std::string& path) {
  const SourceLocation location = location_of("--from links=" + path);
  const fabric::Network given =
      fabric::read_custom_graph(read_file(path, location), path, path.ends_with(".csv"));
  bool same = given.links.size() == network.links.size() && given.devices == network.devices;
  for (LinkId l(0); same && l < static_cast<int>(given.links.size()); ++l) {
    same = given.link_name(l) == network.link_name(l);
  }
  if (!same) {
    Tree custom;
    custom.kind = Tree::Kind::map;
    custom.location = location;
    custom.entries = {{"kind", scalar_tree("custom", location)},
                      {"file", scalar_tree(path, location)}};
    return fabric::build_network(fabric::read_fabric(custom),
                                 {.devices = network.devices, .seed = 0});
  }
  for (std::size_t l = 0; l < given.links.size(); ++l) {
    network.links[l].bandwidth = given.links[l].bandwidth;
    network.links[l].latency = given.links[l].latency;
    network.links[l].members = given.links[l].members;
  }
  return network;
}

}  // namespace

int Fabric::devices() const {
  return circuits() != nullptr ? circuits()->devices() : network()->devices;
}

fabric::Network with_links(fabric::Network network, const Replacements& replacements) {
  if (!replacements.links) return network;
  return replaced_links(std::move(network), *replacements.links);
}

Fabric build(const scenario::Scenario& scenario, int devices, const Replacements& replacements) {
  const fabric::FabricContext context{devices, scenario.seed()};
  if (scenario.fabric.kind->circuits != nullptr) {
    return {build_circuits(scenario.fabric, context), {}};
  }
  const bool replays = scenario.as<scenario::ReplayWork>() != nullptr;
  const fabric::FabricSpec spec = replays ? fabric_by_hops(scenario) : scenario.fabric;
  Fabric fabric{with_links(build_network(spec, context), replacements), {}};
  for (const std::string_view routing : routings_of(spec, context)) {
    const fabric::FabricContext routed{devices, scenario.seed(), routing};
    fabric.routings.push_back({routing, with_links(build_network(spec, routed), replacements)});
  }
  return fabric;
}

}  // namespace loom::run
