#include "loom/fabric/kinds/electrical/fat_tree.h"

#include <fmt/format.h>

#include <cmath>

#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace fat_tree {
namespace {

constexpr std::array kParameters = {
    Parameter{
        .name = "radix",
        .type = ValueType::integer,
        .summary = "even number of ports per switch; by default the smallest sufficient number",
        .min = 2,
        .max = 1024},
    kBandwidth, kLatency, kOversubscription, routing_parameter("split")};

// Each edge switch has `half` devices and each pod `half` edge switches. A pod has `width`
// aggregation switches and there are width² core switches; aggregation switch a of every pod is
// linked to the cores a·width … a·width + width - 1.
//
// In general, the width is half the radix. If traffic is split evenly over all paths, the parallel
// links between two layers always carry the same load, so they are built as one trunk: the width is
// 1, and a link has half or half² members.
//
// Links are numbered in pairs, up and then down: first the links of the devices, then the uplinks
// of the edge switches (width pairs each), then of the aggregation switches (width pairs each).
struct FatTree {
  int devices;
  int half;
  int width;
  Routing routing;
  std::uint64_t seed;
  Duration latency;

  int edges() const { return (devices + half - 1) / half; }
  int pods() const { return (edges() + half - 1) / half; }
  LinkId edge_link(int edge, int up) const { return LinkId(2 * (devices + edge * width + up)); }
  LinkId pod_link(int pod, int up, int core) const {
    return LinkId(edge_link(edges(), 0) + 2 * ((pod * width + up) * width + core));
  }

  static LinkId down(LinkId up) { return LinkId(up + 1); }

  // The path of a message, as a number below width² that determines the aggregation switch of the
  // pod and the core switch above it. `shortest` spreads destinations over the core switches
  // (destination modulo width²).
  int choice(DeviceId source, DeviceId destination, std::uint64_t key) const {
    const int paths = width * width;
    if (routing != Routing::ecmp) return destination % paths;
    return static_cast<int>(message_hash(seed, key, source, destination) %
                            static_cast<std::uint64_t>(paths));
  }

  void operator()(DeviceId source, DeviceId destination, std::uint64_t key, Route& route) const {
    const int from = source / half;
    const int to = destination / half;
    const int chosen = choice(source, destination, key);
    const int up = chosen % width;
    const int core = chosen / width;
    const LinkId first(2 * source);
    const LinkId last(2 * destination + 1);
    if (from == to) {
      route.hops = {{first}, {last}};
    } else if (from / half == to / half) {
      route.hops = {{first}, {edge_link(from, up)}, {down(edge_link(to, up))}, {last}};
    } else {
      route.hops = {{first},
                    {edge_link(from, up)},
                    {pod_link(from / half, up, core)},
                    {down(pod_link(to / half, up, core))},
                    {down(edge_link(to, up))},
                    {last}};
    }
    route.latency = times(static_cast<std::int64_t>(route.hops.size()), latency);
  }
};

std::int64_t capacity(std::int64_t radix) { return radix * radix * radix / 4; }

std::int64_t min_radix(int devices) {
  std::int64_t radix = 2;
  while (capacity(radix) < devices) radix += 2;
  return radix;
}

int fitting_radix(const Settings& settings, int devices) {
  std::int64_t radix = min_radix(devices);
  if (settings.has("radix")) {
    radix = settings.integer("radix");
    if (radix % 2 != 0) settings.refuse("radix", "an even number is needed");
    if (capacity(radix) < devices) {
      settings.refuse("radix", fmt::format("it holds {} devices; room for {} is needed",
                                           capacity(radix), devices));
    }
  }
  return static_cast<int>(radix);
}

void add_switches(Network& network, std::string_view layer, int count) {
  for (int number = 0; number < count; ++number) {
    add_switch(network, fmt::format("{}{}", layer, number));
  }
}

// Adds links in the order that FatTree assumes. `member` is the bandwidth of one link above the
// edge layer.
void add_links(Network& network, const FatTree& tree, const Settings& settings, Bandwidth member) {
  const int edge = tree.devices;
  const int aggregation = edge + tree.edges();
  const int core = aggregation + tree.pods() * tree.width;
  const int members = tree.half / tree.width;
  for (DeviceId device(0); device < tree.devices; ++device) {
    add_duplex_link(network, device, NodeId(edge + device / tree.half),
                    settings.bandwidth("bandwidth"), tree.latency);
  }
  const Bandwidth edge_bandwidth = trunk(settings, member, members);
  for (int it = 0; it < tree.edges() * tree.width; ++it) {
    const int from = it / tree.width;
    const int to = from / tree.half * tree.width + it % tree.width;
    add_duplex_link(network, NodeId(edge + from), NodeId(aggregation + to), edge_bandwidth,
                    tree.latency, members);
  }
  const Bandwidth pod_bandwidth = trunk(settings, edge_bandwidth, members);
  for (int it = 0; it < tree.pods() * tree.width * tree.width; ++it) {
    const int to = it % (tree.width * tree.width);
    add_duplex_link(network, NodeId(aggregation + it / tree.width), NodeId(core + to),
                    pod_bandwidth, tree.latency, members * members);
  }
}

Network build(const Settings& settings, const FabricContext& context) {
  const int half = fitting_radix(settings, context.devices) / 2;
  const bool split = routing(settings) == Routing::split;
  const FatTree tree{context.devices,   half,         split ? 1 : half,
                     routing(settings), context.seed, settings.duration("latency")};
  const std::int64_t above = tree.edges() + std::int64_t{tree.pods()} * tree.width;
  check_links(settings, 2 * (tree.devices + above * tree.width));
  Network network = bare_network(context.devices);
  add_switches(network, "edge", tree.edges());
  add_switches(network, "aggregation", tree.pods() * tree.width);
  add_switches(network, "core", tree.width * tree.width);
  add_links(network, tree, settings, oversubscribed(settings, 1, 1));
  network.router = computed_router(
      tree, split ? nullptr : graph_router(network, tree.routing, context.seed, false));
  network.levels = levels_of(context.devices, {half, half});
  network.period = tree.pods() > 1 ? half * half : half;
  network.full_bisection = split && settings.real("oversubscription") <= 1;
  return network;
}

// The model divides the bandwidth of each link between switches by `oversubscription`; the bill
// instead divides the number of these links by it, at full rate.
Bill components_of(const FatTree& tree, Bandwidth bandwidth, double oversubscription) {
  constexpr std::int64_t kMillion = 1'000'000;  // same resolution as oversubscribed()
  const std::int64_t millionths = std::llround(oversubscription * kMillion);
  const auto fewer = [&](std::int64_t links) {
    return static_cast<std::int64_t>((Int128{links} * kMillion + millionths - 1) / millionths);
  };
  const std::int64_t half = tree.half;
  Bill components;
  add_device_links(components, bandwidth, tree.devices);
  add_switch_links(components, bandwidth, fewer(tree.edges() * half));
  add_switch_links(components, bandwidth, fewer(tree.pods() * half * half));
  return components;
}

Bill components(const Settings& settings, const FabricContext& context) {
  oversubscribed(settings, 1, 1);  // checks the parameter
  const FatTree tree{context.devices, fitting_radix(settings, context.devices) / 2, 1, {}, 0, {}};
  return components_of(tree, settings.bandwidth("bandwidth"), settings.real("oversubscription"));
}

}  // namespace
}  // namespace fat_tree

Bill full_bisection_components(int devices, Bandwidth bandwidth) {
  const int half = static_cast<int>(fat_tree::min_radix(devices)) / 2;
  return fat_tree::components_of({devices, half, 1, {}, 0, {}}, bandwidth, 1);
}

const FabricKind kFatTreeKind = {"fat_tree",
                                 "three tiers of k-port switches, with or without oversubscription",
                                 fat_tree::kParameters,
                                 fat_tree::build,
                                 nullptr,
                                 fat_tree::components};

}  // namespace loom::fabric
