#include "loom/fabric/kinds/electrical/dragonfly.h"

#include <fmt/format.h>

#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace dragonfly {
namespace {

constexpr std::array kParameters = {
    Parameter{.name = "routers_per_group",
              .type = ValueType::integer,
              .summary = "routers per group (a)",
              .required = true,
              .min = 1},
    Parameter{.name = "gpus_per_router",
              .type = ValueType::integer,
              .summary = "devices per router (p)",
              .required = true,
              .min = 1},
    Parameter{.name = "global_links_per_router",
              .type = ValueType::integer,
              .summary = "links from one router to other groups (h)",
              .required = true,
              .min = 0},
    kBandwidth,
    Parameter{.name = "global_bandwidth",
              .type = ValueType::bandwidth,
              .summary =
                  "bandwidth of each link between groups, per direction; same as bandwidth if "
                  "not given",
              .min = 1},
    kLatency,
    Parameter{.name = "global_latency",
              .type = ValueType::duration,
              .summary = "latency of each link between groups; same as latency if not given"},
    routing_parameter("shortest")};

// A minimal path has at most one global link, even if a path over two global links has fewer links
// than local, global, local. So a global link counts as three links.
constexpr int kGlobalLength = 3;

struct Dragonfly {
  std::int64_t routers;  // per group
  std::int64_t gpus;     // per router
  std::int64_t global;   // links from a router to other groups
  std::int64_t groups;

  std::int64_t ports() const { return groups > 1 ? routers * global : 0; }  // per group
};

// Peer of a global port: the group, as an offset from the port's own group, and the port there.
struct Port {
  std::int64_t offset = 0;  // 0: not connected
  std::int64_t peer = 0;
};

// Peer of a global port, the same for every group (the relative arrangement, Hastings et al.,
// CLUSTER 2015). The first ports go to all other groups in turn, in complete rounds. The remaining
// ports go to the nearest groups on both sides; if their number is odd, the last port goes to the
// opposite group, if there is one.
Port port_of(std::int64_t port, const Dragonfly& fabric) {
  const std::int64_t others = fabric.groups - 1;
  const std::int64_t round = port / others * others;
  const std::int64_t place = port - round;
  if (round + others <= fabric.ports()) {
    return {place + 1, round + others - 1 - place};
  }
  const bool last_of_odd = place % 2 == 0 && port + 1 == fabric.ports();
  if (last_of_odd) return fabric.groups % 2 == 0 ? Port{fabric.groups / 2, port} : Port{};
  const std::int64_t distance = place / 2 + 1;
  return place % 2 == 0 ? Port{distance, port + 1} : Port{fabric.groups - distance, port - 1};
}

Dragonfly read_dragonfly(const Settings& settings, int devices) {
  Dragonfly fabric{settings.integer("routers_per_group"), settings.integer("gpus_per_router"),
                   settings.integer("global_links_per_router"), 1};
  fabric.groups = (devices - 1) / (fabric.routers * fabric.gpus) + 1;
  if (fabric.groups > fabric.routers * fabric.global + 1) {
    settings.refuse("global_links_per_router",
                    fmt::format("{} devices make {} groups; with {} routers each, at least {} is "
                                "needed to link each group to every other",
                                devices, fabric.groups, fabric.routers,
                                (fabric.groups - 2) / fabric.routers + 1));
  }
  const std::int64_t routers = fabric.groups * fabric.routers;
  check_links(settings,
              std::int64_t{2} * devices +
                  routers * (fabric.routers - 1 + (fabric.groups > 1 ? fabric.global : 0)));
  return fabric;
}

void add_routers(Network& network, const Dragonfly& fabric) {
  for (std::int64_t group = 0; group < fabric.groups; ++group) {
    for (std::int64_t router = 0; router < fabric.routers; ++router) {
      add_switch(network, fmt::format("group{}.{}", group, router));
    }
  }
}

void add_local_links(Network& network, const Dragonfly& fabric, Bandwidth bandwidth,
                     Duration latency) {
  const int first = network.devices;
  const int routers = static_cast<int>(fabric.routers);
  for (DeviceId device(0); device < network.devices; ++device) {
    const NodeId router(first + device / fabric.gpus);
    add_duplex_link(network, device, router, bandwidth, latency);
  }
  for (NodeId router(first); router < network.nodes; ++router) {
    const int end = first + ((router - first) / routers + 1) * routers;
    for (NodeId other(router + 1); other < end; ++other) {
      add_duplex_link(network, router, other, bandwidth, latency);
    }
  }
}

void add_global_links(Network& network, const Dragonfly& fabric, Bandwidth bandwidth,
                      Duration latency) {
  const auto router = [&](std::int64_t group, std::int64_t port) {
    return NodeId(network.devices + group * fabric.routers + port / fabric.global);
  };
  for (std::int64_t group = 0; group < fabric.groups; ++group) {
    for (std::int64_t number = 0; number < fabric.ports(); ++number) {
      const Port port = port_of(number, fabric);
      const std::int64_t other = (group + port.offset) % fabric.groups;
      if (other <= group) continue;
      add_duplex_link(network, router(group, number), router(other, port.peer), bandwidth, latency);
    }
  }
}

Network build(const Settings& settings, const FabricContext& context) {
  const Dragonfly fabric = read_dragonfly(settings, context.devices);
  const Bandwidth bandwidth = settings.bandwidth("bandwidth");
  const Duration latency = settings.duration("latency");
  Network network = bare_network(context.devices);
  add_routers(network, fabric);
  add_local_links(network, fabric, bandwidth, latency);
  std::vector<int> lengths(network.links.size(), 1);
  add_global_links(
      network, fabric,
      settings.has("global_bandwidth") ? settings.bandwidth("global_bandwidth") : bandwidth,
      settings.has("global_latency") ? settings.duration("global_latency") : latency);
  lengths.resize(network.links.size(), kGlobalLength);
  network.router = graph_router(network, routing(settings), context.seed, false, lengths);
  network.levels = levels_of(context.devices, {fabric.gpus, fabric.routers});
  network.period = static_cast<int>(fabric.gpus * (fabric.groups > 1 ? fabric.routers : 1));
  return network;
}

}  // namespace
}  // namespace dragonfly

const FabricKind kDragonflyKind = {
    "dragonfly", "groups of fully connected routers, every group linked to every other",
    dragonfly::kParameters, dragonfly::build};

}  // namespace loom::fabric
