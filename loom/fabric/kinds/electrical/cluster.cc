#include "loom/fabric/kinds/electrical/cluster.h"

#include <fmt/format.h>

#include "loom/fabric/kinds/electrical/packet_switches.h"
#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace cluster {
namespace {

constexpr Parameter with_fallback(Parameter parameter, std::string_view fallback) {
  parameter.fallback = fallback;
  parameter.required = false;
  return parameter;
}

constexpr std::array kParameters = {kGpusPerServer,   kInsideBandwidth, kInsideLatency,
                                    kDeviceBandwidth, kDeviceLatency,   kRadix};

// An NVL72 rack: 72 GPUs on NVLink 5, 1.8 TB/s per GPU in both directions together ("NVIDIA GB200
// NVL72", datasheet), each with its own NIC of 400 Gbps.
constexpr std::array kNvl72Parameters = {with_fallback(kGpusPerServer, "72"),
                                         with_fallback(kInsideBandwidth, "900 GB/s"),
                                         kInsideLatency,
                                         with_fallback(kDeviceBandwidth, "400 Gbps"),
                                         kDeviceLatency,
                                         kRadix};

// Device i has four links: 4i up to the core, 4i + 1 down from the core, 4i + 2 to the switch of
// its server, 4i + 3 from that switch. Latencies are given from device to device; the links 4i and
// 4i + 2 have the entire latency.
struct ClusterRoutes {
  int gpus_per_server;
  Duration latency;
  Duration inside_latency;

  void operator()(DeviceId source, DeviceId destination, std::uint64_t /*key*/,
                  Route& route) const {
    const bool inside = source / gpus_per_server == destination / gpus_per_server;
    const int first = inside ? 2 : 0;
    route.hops = {{LinkId(4 * source + first)}, {LinkId(4 * destination + first + 1)}};
    route.latency = inside ? inside_latency : latency;
  }
};

Network build(const Settings& settings, const FabricContext& context) {
  Network network = bare_network(context.devices);
  const ClusterRoutes routes{static_cast<int>(settings.integer("gpus_per_server")),
                             settings.duration("latency"), settings.duration("inside_latency")};
  const Bandwidth bandwidth = settings.bandwidth("bandwidth");
  const Bandwidth inside = settings.bandwidth("inside_bandwidth");
  const NodeId core = add_switch(network, "core");
  for (DeviceId device(0); device < context.devices; ++device) {
    const int server = device / routes.gpus_per_server;
    if (device % routes.gpus_per_server == 0) add_switch(network, fmt::format("server{}", server));
    const NodeId inner(core + 1 + server);
    add_link(network, {device, core, bandwidth, routes.latency});
    add_link(network, {core, device, bandwidth});
    add_link(network, {device, inner, inside, routes.inside_latency});
    add_link(network, {inner, device, inside});
  }
  // Two devices of a server can also reach each other over the core.
  network.router =
      computed_router(routes, graph_router(network, Routing::shortest, context.seed, false));
  network.levels = levels_of(context.devices, {routes.gpus_per_server});
  network.period = routes.gpus_per_server;
  return network;
}

Bill components(const Settings& settings, const FabricContext& context) {
  const auto per_server = static_cast<int>(settings.integer("gpus_per_server"));
  Bill components = ideal_switch_components(
      {context.devices}, fitting_radix(settings, context.devices), settings.bandwidth("bandwidth"),
      context.floor.of_servers(per_server));
  add_component(components, kServerPort, settings.bandwidth("inside_bandwidth"), context.devices);
  return components;
}

}  // namespace
}  // namespace cluster

const FabricKind kClusterKind = {
    "cluster",
    "servers with a fast internal switch, connected by an ideal network",
    cluster::kParameters,
    cluster::build,
    nullptr,
    cluster::components};

const FabricKind kNvl72Kind = {
    "nvl72",
    "racks of 72 GPUs on NVLink 5, connected by an ideal network (GB200 NVL72)",
    cluster::kNvl72Parameters,
    cluster::build,
    nullptr,
    cluster::components};

}  // namespace loom::fabric
