#include "loom/fabric/kinds/electrical/fat_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/fabric/kinds/electrical/packet_switches.h"
#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace fat_tree {
namespace {

constexpr std::array kParameters = {kRadix, kBandwidth, kLatency, kOversubscription,
                                    routing_parameter("split")};

// Each edge switch has `half` devices and each pod `half` edge switches. A pod has `width`
// aggregation switches and there are width² core switches; aggregation switch a of every pod is
// linked to the cores a·width … a·width + width - 1. A single edge switch needs no aggregation, and
// a single pod no core.
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
  int edge_uplinks() const { return edges() > 1 ? width : 0; }  // of one switch
  int pod_uplinks() const { return pods() > 1 ? width : 0; }
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
  const int core = aggregation + tree.pods() * tree.edge_uplinks();
  const int members = tree.half / tree.width;
  for (DeviceId device(0); device < tree.devices; ++device) {
    add_duplex_link(network, device, NodeId(edge + device / tree.half),
                    settings.bandwidth("bandwidth"), tree.latency);
  }
  const Bandwidth edge_bandwidth = trunk(settings, member, members);
  for (int it = 0; it < tree.edges() * tree.edge_uplinks(); ++it) {
    const int from = it / tree.width;
    const int to = from / tree.half * tree.width + it % tree.width;
    add_duplex_link(network, NodeId(edge + from), NodeId(aggregation + to), edge_bandwidth,
                    tree.latency, members);
  }
  const Bandwidth pod_bandwidth = trunk(settings, edge_bandwidth, members);
  for (int it = 0; it < tree.pods() * tree.width * tree.pod_uplinks(); ++it) {
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
  add_switches(network, "aggregation", tree.pods() * tree.edge_uplinks());
  add_switches(network, "core", tree.width * tree.pod_uplinks());
  add_links(network, tree, settings, oversubscribed(settings, 1, 1));
  network.router = computed_router(
      tree, split ? nullptr : graph_router(network, tree.routing, context.seed, false));
  network.levels = levels_of(context.devices, {half, half});
  if (tree.edges() > 1) network.period = tree.pods() > 1 ? half * half : half;
  network.full_bisection = split && settings.real("oversubscription") <= 1;
  return network;
}

// The links of the devices, of the edge switches upward and of the pods upward, by reach.
struct TreeLinks {
  LinkCounts devices, edges, pods;
};

// A switch stands in the smallest place that holds the devices from `from` to before `to`.
FloorSite site_of(const FatTree& tree, const Floor& floor, std::int64_t from, std::int64_t to) {
  const std::int64_t last = std::min<std::int64_t>(to, tree.devices) - 1;
  return floor.containing(floor.rack_of(DeviceId(static_cast<int>(from))),
                          floor.rack_of(DeviceId(static_cast<int>(last))));
}

TreeLinks links_of(const FatTree& tree, const Floor& floor) {
  const std::int64_t half = tree.half;
  const std::int64_t pod_size = half * half;
  TreeLinks links;
  for (int device = 0; device < tree.devices; ++device) {
    const std::int64_t first = device / half * half;
    const FloorSite edge = site_of(tree, floor, first, first + half);
    links.devices.add(floor.containing(floor.rack_of(DeviceId(device)), edge).level, 1);
  }
  for (int edge = 0; tree.edges() > 1 && edge < tree.edges(); ++edge) {
    const std::int64_t pod = edge / half * pod_size;
    const FloorSite lower = site_of(tree, floor, edge * half, (edge + 1) * half);
    const FloorSite upper = site_of(tree, floor, pod, pod + pod_size);
    links.edges.add(floor.containing(lower, upper).level, half);
  }
  for (int pod = 0; tree.pods() > 1 && pod < tree.pods(); ++pod) {
    const FloorSite lower = site_of(tree, floor, pod * pod_size, (pod + 1) * pod_size);
    const FloorSite core = site_of(tree, floor, 0, tree.devices);
    links.pods.add(floor.containing(lower, core).level, pod_size);
  }
  return links;
}

// The model divides the bandwidth of each link between switches by `oversubscription`; the bill
// instead divides the number of these links by it, at full rate.
LinkCounts thinned(LinkCounts links, double oversubscription) {
  constexpr std::int64_t kMillion = 1'000'000;  // same resolution as oversubscribed()
  const std::int64_t millionths = std::llround(oversubscription * kMillion);
  for (std::int64_t& count : links.links) {
    count = static_cast<std::int64_t>((Int128{count} * kMillion + millionths - 1) / millionths);
  }
  return links;
}

Bill components(const Settings& settings, const FabricContext& context) {
  oversubscribed(settings, 1, 1);  // checks the parameter
  const FatTree tree{context.devices, fitting_radix(settings, context.devices) / 2, 1, {}, 0, {}};
  const TreeLinks links = links_of(tree, context.floor);
  const Bandwidth rate = settings.bandwidth("bandwidth");
  const double ratio = settings.real("oversubscription");
  Bill components;
  add_device_links(components, rate, links.devices);
  add_switch_links(components, rate, thinned(links.edges, ratio));
  add_switch_links(components, rate, thinned(links.pods, ratio));
  return components;
}

}  // namespace
}  // namespace fat_tree

const FabricKind kFatTreeKind = {"fat_tree",
                                 "three tiers of k-port switches, with or without oversubscription",
                                 fat_tree::kParameters,
                                 fat_tree::build,
                                 nullptr,
                                 fat_tree::components};

}  // namespace loom::fabric
