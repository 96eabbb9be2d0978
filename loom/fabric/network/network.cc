#include "loom/fabric/network/network.h"

#include <fmt/format.h>

#include "loom/base/error.h"

namespace loom::fabric {

std::string Network::node_name(NodeId node) const {
  return node < devices ? fmt::format("{}", static_cast<int>(node))
                        : switch_names[static_cast<std::size_t>(node - devices)];
}

std::string Network::link_name(LinkId link) const {
  const Link& it = links[static_cast<std::size_t>(link)];
  return fmt::format("{}->{}", node_name(it.from), node_name(it.to));
}

bool find_out_of_band(const Network& network, Route& route) {
  if (!network.out_of_band) return false;
  route = {{}, *network.out_of_band};
  return true;
}

LinkId add_link(Network& network, Link link) {
  network.links.push_back(link);
  return LinkId(network.links.size() - 1);
}

LinkId add_duplex_link(Network& network, NodeId a, NodeId b, Bandwidth bandwidth, Duration latency,
                       int members) {
  const LinkId there = add_link(network, {a, b, bandwidth, latency, members});
  add_link(network, {b, a, bandwidth, latency, members});
  return there;
}

NodeId add_switch(Network& network, std::string name) {
  LOOM_CHECK(network.nodes >= network.devices, "devices are numbered before switches");
  network.switch_names.push_back(std::move(name));
  return NodeId(network.nodes++);
}

}  // namespace loom::fabric
