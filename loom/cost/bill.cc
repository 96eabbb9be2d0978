#include "loom/cost/bill.h"

#include <algorithm>
#include <map>
#include <numeric>

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

}  // namespace

fabric::Bill components_of(const fabric::Network& network) {
  std::map<Bandwidth, std::vector<Ports>> by_rate;
  for (const fabric::Link& link : network.links) {
    const Bandwidth rate{link.bandwidth.bits_per_second / link.members};
    std::vector<Ports>& nodes = by_rate[rate];
    nodes.resize(static_cast<std::size_t>(network.nodes));
    nodes[static_cast<std::size_t>(link.from)].out += link.members;
    nodes[static_cast<std::size_t>(link.to)].in += link.members;
  }
  fabric::Bill components;
  for (const auto& [rate, nodes] : by_rate) {
    std::int64_t of_devices = 0;
    std::int64_t of_switches = 0;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      const bool device = node < static_cast<std::size_t>(network.devices);
      (device ? of_devices : of_switches) += std::max(nodes[node].out, nodes[node].in);
    }
    const std::int64_t ports = of_devices + of_switches;
    add_component(components, fabric::kNic, rate, of_devices);
    add_component(components, fabric::kTransceiver, rate, ports);
    add_component(components, fabric::kSwitchPort, rate, of_switches);
    add_component(components, fabric::kFiber, rate, (ports + 1) / 2);
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
  return components_of(build_network(spec, context));
}

}  // namespace loom::cost
