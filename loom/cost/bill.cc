#include "loom/cost/bill.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace loom::cost {
namespace {

// Ports of one node at one rate.
struct Ports {
  std::int64_t out = 0;
  std::int64_t in = 0;
};

// An optical switch has no transceivers, so each link has an interface only at the device.
fabric::Bill components_of(const fabric::OcsLimits& limits, const fabric::CircuitFabric& fabric) {
  const std::vector<int> each = limits.ports_of_devices();
  const std::int64_t ports = std::accumulate(each.begin(), each.end(), std::int64_t{0});
  fabric::Bill components;
  if (fabric.components.sip) {
    add_component(components, fabric::kSipInterface, fabric.circuit, ports);
  } else {
    add_component(components, fabric::kNic, fabric.circuit, ports);
    add_component(components, fabric::kTransceiver, fabric.circuit, ports);
  }
  add_component(components, fabric.components.port, fabric.circuit, ports);
  add_component(components, fabric::kFiber, fabric.circuit, ports);
  return components;
}

// A device has one interface per wavelength on which it sends and receives. A cable has two fibers;
// on a bidirectional ring, these are the two directions.
fabric::Bill components_of(const fabric::RingLimits& limits, const fabric::CircuitFabric& fabric) {
  const std::int64_t devices = limits.devices;
  const std::int64_t wavelengths = devices * limits.directions * limits.colors();
  fabric::Bill components;
  if (fabric.components.sip) {
    add_component(components, fabric::kSipInterface, fabric.circuit, wavelengths);
  } else {
    add_component(components, fabric::kNic, fabric.circuit, wavelengths);
    add_component(components, fabric::kDwdmTransceiver, fabric.circuit, wavelengths);
  }
  add_component(components, fabric::kFiber, fabric.circuit,
                devices * ((limits.fibers * limits.directions + 1) / 2));
  return components;
}

// Where the nodes stand. A switch stands in the smallest place that holds its neighbors nearer to
// the devices; one that no device reaches, in the hall.
std::vector<fabric::FloorSite> sites_of(const fabric::Network& network,
                                        const fabric::Floor& floor) {
  const auto nodes = static_cast<std::size_t>(network.nodes);
  std::vector<std::optional<fabric::FloorSite>> sites(nodes);
  for (DeviceId device(0); device < network.devices; ++device) {
    sites[static_cast<std::size_t>(device)] = floor.rack_of(device);
  }
  for (bool more = true; more;) {
    std::map<std::size_t, fabric::FloorSite> next;
    const auto place = [&](std::size_t node, std::size_t neighbor) {
      if (sites[node] || !sites[neighbor]) return;
      const auto [it, fresh] = next.emplace(node, *sites[neighbor]);
      if (!fresh) it->second = floor.containing(it->second, *sites[neighbor]);
    };
    for (const fabric::Link& link : network.links) {
      place(static_cast<std::size_t>(link.from), static_cast<std::size_t>(link.to));
      place(static_cast<std::size_t>(link.to), static_cast<std::size_t>(link.from));
    }
    for (const auto& [node, site] : next) sites[node] = site;
    more = !next.empty();
  }
  std::vector<fabric::FloorSite> all;
  for (const auto& it : sites)
    all.push_back(it.value_or(fabric::FloorSite{fabric::CableReach::hall, 0}));
  return all;
}

}  // namespace

fabric::Bill components_of(const fabric::Network& network, const fabric::Floor& floor) {
  const std::vector<fabric::FloorSite> sites = sites_of(network, floor);
  std::map<Bandwidth, std::map<fabric::CableReach, std::vector<Ports>>> by_rate;
  for (const fabric::Link& link : network.links) {
    const auto from = static_cast<std::size_t>(link.from);
    const auto to = static_cast<std::size_t>(link.to);
    const Bandwidth rate{link.bandwidth.bits_per_second / link.members};
    std::vector<Ports>& nodes = by_rate[rate][floor.containing(sites[from], sites[to]).level];
    nodes.resize(sites.size());
    nodes[from].out += link.members;
    nodes[to].in += link.members;
  }
  fabric::Bill components;
  for (const auto& [rate, by_reach] : by_rate) {
    fabric::LinkCounts links;
    for (const auto& [reach, nodes] : by_reach) {
      std::int64_t of_devices = 0;
      std::int64_t of_switches = 0;
      for (std::size_t node = 0; node < nodes.size(); ++node) {
        const bool device = node < static_cast<std::size_t>(network.devices);
        (device ? of_devices : of_switches) += std::max(nodes[node].out, nodes[node].in);
      }
      add_component(components, fabric::kNic, rate, of_devices);
      add_component(components, fabric::kSwitchPort, rate, of_switches);
      links.add(reach, (of_devices + of_switches + 1) / 2);
    }
    add_cables(components, rate, links);
  }
  return components;
}

fabric::Bill components_of(const fabric::CircuitFabric& fabric) {
  return std::visit([&](const auto& limits) { return components_of(limits, fabric); },
                    fabric.limits);
}

fabric::Bill bill_of(const fabric::FabricSpec& spec, const fabric::FabricContext& context) {
  if (spec.kind->components != nullptr) return spec.kind->components(spec.settings, context);
  if (spec.kind->circuits != nullptr) return components_of(build_circuits(spec, context));
  return components_of(build_network(spec, context), context.floor);
}

}  // namespace loom::cost
