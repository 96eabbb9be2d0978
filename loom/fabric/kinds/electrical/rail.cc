#include "loom/fabric/kinds/electrical/rail.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/fabric/kinds/electrical/packet_switches.h"
#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace rail {
namespace {

constexpr std::array kParameters = {kGpusPerServer,   kInsideBandwidth, kInsideLatency,
                                    kDeviceBandwidth, kDeviceLatency,   kRadix};

// Device i has four links: 4i up to its rail, 4i + 1 down from the rail, 4i + 2 to the switch of
// its server, 4i + 3 from that switch. Latencies are given from device to device; the links 4i and
// 4i + 2 have the entire latency.
struct RailRoutes {
  int devices;
  int gpus_per_server;
  Duration latency;
  Duration inside_latency;

  void inside(int from, int to, Route& route) const {
    route.hops.push_back({LinkId(4 * from + 2)});
    route.hops.push_back({LinkId(4 * to + 3)});
    route.latency = add(route.latency, inside_latency);
  }

  void along_rail(int from, int to, Route& route) const {
    route.hops.push_back({LinkId(4 * from)});
    route.hops.push_back({LinkId(4 * to + 1)});
    route.latency = add(route.latency, latency);
  }

  // A message changes rails in the source server. Only the last server can lack a device on the
  // rail of the destination; a message from there changes rails in the destination server.
  void operator()(DeviceId source, DeviceId destination, std::uint64_t /*key*/,
                  Route& route) const {
    const int g = gpus_per_server;
    if (source / g == destination / g) return inside(source, destination, route);
    if (source % g == destination % g) return along_rail(source, destination, route);
    const int there = source / g * g + destination % g;
    if (there < devices) {
      inside(source, there, route);
      along_rail(there, destination, route);
    } else {
      const int beside = destination / g * g + source % g;
      along_rail(source, beside, route);
      inside(beside, destination, route);
    }
  }
};

Network build(const Settings& settings, const FabricContext& context) {
  Network network = bare_network(context.devices);
  const RailRoutes routes{context.devices, static_cast<int>(settings.integer("gpus_per_server")),
                          settings.duration("latency"), settings.duration("inside_latency")};
  const Bandwidth bandwidth = settings.bandwidth("bandwidth");
  const Bandwidth inside = settings.bandwidth("inside_bandwidth");
  const int rails = std::min(routes.gpus_per_server, context.devices);
  for (int rail = 0; rail < rails; ++rail) add_switch(network, fmt::format("rail{}", rail));
  for (DeviceId device(0); device < context.devices; ++device) {
    const int server = device / routes.gpus_per_server;
    const NodeId rail(context.devices + device % routes.gpus_per_server);
    const NodeId box(context.devices + rails + server);
    if (device % routes.gpus_per_server == 0) add_switch(network, fmt::format("server{}", server));
    add_link(network, {device, rail, bandwidth, routes.latency});
    add_link(network, {rail, device, bandwidth});
    add_link(network, {device, box, inside, routes.inside_latency});
    add_link(network, {box, device, inside});
  }
  network.router =
      computed_router(routes, graph_router(network, Routing::shortest, context.seed, true));
  network.levels = levels_of(context.devices, {routes.gpus_per_server});
  network.period = routes.gpus_per_server;
  return network;
}

// A rail is an ideal switch for one device of each server.
Bill components(const Settings& settings, const FabricContext& context) {
  const auto per_server = static_cast<int>(settings.integer("gpus_per_server"));
  const int longest = (context.devices - 1) / per_server + 1;
  const int radix = fitting_radix(settings, longest);
  const Floor floor = context.floor.of_servers(per_server);
  Bill components;
  for (int rail = 0; rail < std::min(per_server, context.devices); ++rail) {
    const SomeDevices devices{(context.devices - rail - 1) / per_server + 1, rail, per_server};
    add_bill(components,
             ideal_switch_components(devices, radix, settings.bandwidth("bandwidth"), floor));
  }
  add_component(components, kServerPort, settings.bandwidth("inside_bandwidth"), context.devices);
  return components;
}

}  // namespace
}  // namespace rail

const FabricKind kRailKind = {
    "rail",
    "rail-optimized: the i-th device of every server is attached to rail switch i",
    rail::kParameters,
    rail::build,
    nullptr,
    rail::components};

}  // namespace loom::fabric
