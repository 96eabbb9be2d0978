#include "loom/fabric/kinds/electrical/leaf_spine.h"

#include <fmt/format.h>

#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace leaf_spine {
namespace {

constexpr std::array kParameters = {Parameter{.name = "gpus_per_leaf",
                                              .type = ValueType::integer,
                                              .summary = "devices per leaf switch",
                                              .required = true,
                                              .min = 1},
                                    Parameter{.name = "spines",
                                              .type = ValueType::integer,
                                              .summary = "number of spine switches",
                                              .required = true,
                                              .min = 1,
                                              .max = 1'000'000},
                                    kBandwidth,
                                    kLatency,
                                    kOversubscription,
                                    routing_parameter("split")};

// `width` is the number of spines. If traffic is split evenly over all spines, they are built as
// one spine with trunks (see fat_tree.cc). Links are numbered in pairs, up and then down: first the
// links of the devices, then the uplinks of the leaves, width pairs each.
struct LeafSpine {
  int devices;
  int gpus_per_leaf;
  int width;
  Routing routing;
  std::uint64_t seed;
  Duration latency;

  int leaves() const { return (devices - 1) / gpus_per_leaf + 1; }
  LinkId leaf_link(int leaf, int spine) const {
    return LinkId(2 * (devices + leaf * width + spine));
  }

  int choice(DeviceId source, DeviceId destination, std::uint64_t key) const {
    if (routing != Routing::ecmp) return destination % width;
    return static_cast<int>(message_hash(seed, key, source, destination) %
                            static_cast<std::uint64_t>(width));
  }

  void operator()(DeviceId source, DeviceId destination, std::uint64_t key, Route& route) const {
    const int from = source / gpus_per_leaf;
    const int to = destination / gpus_per_leaf;
    const LinkId first(2 * source);
    const LinkId last(2 * destination + 1);
    if (from == to) {
      route.hops = {{first}, {last}};
    } else {
      const int spine = choice(source, destination, key);
      route.hops = {{first}, {leaf_link(from, spine)}, {LinkId(leaf_link(to, spine) + 1)}, {last}};
    }
    route.latency = times(static_cast<std::int64_t>(route.hops.size()), latency);
  }
};

void add_links(Network& network, const LeafSpine& fabric, const Settings& settings, int spines) {
  const int leaf = fabric.devices;
  const int spine = leaf + fabric.leaves();
  for (DeviceId device(0); device < fabric.devices; ++device) {
    add_duplex_link(network, device, NodeId(leaf + device / fabric.gpus_per_leaf),
                    settings.bandwidth("bandwidth"), fabric.latency);
  }
  const int members = spines / fabric.width;
  const Bandwidth uplink =
      trunk(settings, oversubscribed(settings, fabric.gpus_per_leaf, spines), members);
  for (int it = 0; it < fabric.leaves() * fabric.width; ++it) {
    add_duplex_link(network, NodeId(leaf + it / fabric.width), NodeId(spine + it % fabric.width),
                    uplink, fabric.latency, members);
  }
}

Network build(const Settings& settings, const FabricContext& context) {
  const int spines = static_cast<int>(settings.integer("spines"));
  const bool split = routing(settings) == Routing::split;
  const LeafSpine fabric{context.devices,    static_cast<int>(settings.integer("gpus_per_leaf")),
                         split ? 1 : spines, routing(settings),
                         context.seed,       settings.duration("latency")};
  check_links(settings, 2 * (fabric.devices + std::int64_t{fabric.leaves()} * fabric.width));
  Network network = bare_network(context.devices);
  for (int leaf = 0; leaf < fabric.leaves(); ++leaf)
    add_switch(network, fmt::format("leaf{}", leaf));
  for (int spine = 0; spine < fabric.width; ++spine) {
    add_switch(network, fmt::format("spine{}", spine));
  }
  add_links(network, fabric, settings, spines);
  network.router = computed_router(
      fabric, split ? nullptr : graph_router(network, fabric.routing, context.seed, false));
  network.levels = levels_of(context.devices, {fabric.gpus_per_leaf});
  network.period = fabric.gpus_per_leaf;
  network.full_bisection = split && settings.real("oversubscription") <= 1;
  return network;
}

}  // namespace
}  // namespace leaf_spine

const FabricKind kLeafSpineKind = {
    "leaf_spine", "two tiers: devices on leaf switches, every leaf linked to every spine",
    leaf_spine::kParameters, leaf_spine::build};

}  // namespace loom::fabric
