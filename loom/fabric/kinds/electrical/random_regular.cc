#include "loom/fabric/kinds/electrical/random_regular.h"

#include <fmt/format.h>

#include "loom/fabric/network/random_graph.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace random_regular {
namespace {

constexpr std::array kParameters = {
    Parameter{.name = "degree",
              .type = ValueType::integer,
              .summary = "links from one switch to other switches",
              .required = true,
              .min = 1},
    Parameter{.name = "gpus_per_switch",
              .type = ValueType::integer,
              .summary = "devices per switch; 0: the devices themselves form the graph",
              .fallback = "1",
              .min = 0},
    kLinkBandwidth,
    kEgress,
    kLatency,
    routing_parameter("shortest")};

void check_degree(const Settings& settings, std::int64_t vertices) {
  const std::int64_t degree = settings.integer("degree");
  if (degree >= vertices) {
    settings.refuse("degree",
                    fmt::format("less than {}, the number of vertices, is needed", vertices));
  }
  if (degree * vertices % 2 != 0) {
    settings.refuse("degree", fmt::format("an even number is needed for {} vertices", vertices));
  }
  if (degree == 1 && vertices > 2) {
    settings.refuse("degree", fmt::format("at least 2 is needed to connect {} vertices", vertices));
  }
  check_links(settings, degree * vertices);
}

Network build(const Settings& settings, const FabricContext& context) {
  const std::int64_t gpus = settings.integer("gpus_per_switch");
  const int vertices =
      gpus == 0 ? context.devices : static_cast<int>((context.devices - 1) / gpus) + 1;
  check_degree(settings, vertices);
  if (gpus > 0 && settings.given("egress")) {
    settings.refuse("egress", "devices have one link; bandwidth, or gpus_per_switch: 0, is needed");
  }
  const Bandwidth bandwidth = direct_bandwidth(settings, settings.integer("degree"));
  const Duration latency = settings.duration("latency");
  Network network = bare_network(context.devices);
  for (int number = 0; gpus > 0 && number < vertices; ++number) {
    add_switch(network, fmt::format("switch{}", number));
  }
  for (DeviceId device(0); gpus > 0 && device < context.devices; ++device) {
    add_duplex_link(network, device, NodeId(context.devices + device / gpus), bandwidth, latency);
  }
  const int first = gpus == 0 ? 0 : context.devices;
  const int degree = static_cast<int>(settings.integer("degree"));
  for (const auto& [a, b] : random_regular_graph(vertices, degree, context.seed)) {
    add_duplex_link(network, NodeId(first + a), NodeId(first + b), bandwidth, latency);
  }
  network.router = graph_router(network, routing(settings), context.seed, gpus == 0);
  if (gpus > 0) network.levels = levels_of(context.devices, {gpus});
  return network;
}

}  // namespace
}  // namespace random_regular

const FabricKind kRandomRegularKind = {
    "random_regular", "a random regular graph of switches, or of the devices themselves",
    random_regular::kParameters, random_regular::build};

}  // namespace loom::fabric
