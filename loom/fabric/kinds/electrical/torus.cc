#include "loom/fabric/kinds/electrical/torus.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "loom/base/random.h"
#include "loom/fabric/network/computed_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace torus {
namespace {

constexpr int kMaxDimensions = 4;

constexpr std::array kParameters = {Parameter{.name = "shape",
                                              .type = ValueType::shape,
                                              .summary = "devices per dimension, such as 8x8x16",
                                              .required = true},
                                    kLinkBandwidth, kEgress, kLatency,
                                    routing_parameter("shortest")};

// A step up adds `stride` to the device number and wraps around at the end of the dimension. In a
// dimension of size 2, each device has one link, and a step up equals a step down.
struct Dimension {
  int size = 1;
  int stride = 1;
  int up = 0;    // port of a step up
  int down = 0;  // port of a step down
};

// The device at (x, y, z) has number x + X·(y + Y·z). Port p of a device is link number device ·
// ports + p.
struct Torus {
  std::array<Dimension, kMaxDimensions> dimensions;
  int count = 0;
  int ports = 0;
  int longest = 0;  // diameter in links
  Routing routing = Routing::shortest;
  std::uint64_t seed = 0;
  Duration latency{0};

  int coordinate(int device, const Dimension& it) const { return device / it.stride % it.size; }

  // Moves along one dimension to the coordinate of the destination, in the shorter direction.
  // Halfway around, both directions are equally long, and `tie_up` decides.
  void move(int& here, int destination, const Dimension& it, bool tie_up, Route& route) const {
    int at = coordinate(here, it);
    const int ahead = (coordinate(destination, it) - at + it.size) % it.size;
    const bool up = 2 * ahead < it.size || (2 * ahead == it.size && tie_up);
    for (int left = up ? ahead : it.size - ahead; left > 0; --left) {
      route.hops.push_back({LinkId(here * ports + (up ? it.up : it.down))});
      const int next = up ? (at + 1 == it.size ? 0 : at + 1) : (at == 0 ? it.size - 1 : at - 1);
      here += (next - at) * it.stride;
      at = next;
    }
  }

  void operator()(DeviceId source, DeviceId destination, std::uint64_t key, Route& route) const {
    std::array<int, kMaxDimensions> order = {0, 1, 2, 3};
    std::uint64_t ties = ~std::uint64_t{0};
    if (routing == Routing::ecmp) {
      std::uint64_t hash = message_hash(seed, key, source, destination);
      ties = hash >> 32;
      for (int left = count; left > 1; --left) {
        std::swap(order[left - 1], order[hash % static_cast<std::uint64_t>(left)]);
        hash /= static_cast<std::uint64_t>(left);
      }
    }
    route.hops.reserve(static_cast<std::size_t>(longest));
    int here = source;
    for (int it = 0; it < count; ++it) {
      const bool tie_up = (ties >> order[it] & 1) != 0;
      move(here, destination, dimensions[order[it]], tie_up, route);
    }
    route.latency = times(static_cast<std::int64_t>(route.hops.size()), latency);
  }
};

void add_dimension(Torus& torus, int size, int stride) {
  Dimension& it = torus.dimensions[torus.count++];
  it = {size, stride, torus.ports, torus.ports + (size > 2 ? 1 : 0)};
  torus.ports += size > 2 ? 2 : size - 1;
  torus.longest += size / 2;
}

Torus read_torus(const Settings& settings, const FabricContext& context) {
  const std::vector<int> sizes = settings.shape("shape");
  if (sizes.size() > kMaxDimensions) settings.refuse("shape", "1 to 4 dimensions are possible");
  Torus torus;
  torus.routing = routing(settings);
  torus.seed = context.seed;
  torus.latency = settings.duration("latency");
  std::int64_t product = 1;
  for (const int size : sizes) {
    if (product <= context.devices) add_dimension(torus, size, static_cast<int>(product));
    product = std::min(product * size, std::int64_t{1} << 31);
  }
  if (product != context.devices) {
    settings.refuse("shape", fmt::format("sizes whose product is {} are needed", context.devices));
  }
  return torus;
}

void add_links(Network& network, const Torus& torus, Bandwidth bandwidth) {
  for (DeviceId device(0); device < network.devices; ++device) {
    for (int number = 0; number < torus.count; ++number) {
      const Dimension& it = torus.dimensions[number];
      const int at = torus.coordinate(device, it);
      const NodeId up(device + ((at + 1) % it.size - at) * it.stride);
      const NodeId down(device + ((at + it.size - 1) % it.size - at) * it.stride);
      if (it.size > 1) add_link(network, {device, up, bandwidth, torus.latency});
      if (it.size > 2) add_link(network, {device, down, bandwidth, torus.latency});
    }
  }
}

Network build(const Settings& settings, const FabricContext& context) {
  const Torus torus = read_torus(settings, context);
  check_links(settings, std::int64_t{context.devices} * torus.ports);
  Network network = bare_network(context.devices);
  add_links(network, torus, direct_bandwidth(settings, torus.ports));
  auto graph = graph_router(network, torus.routing, context.seed, true);
  network.router = torus.routing == Routing::split ? graph : computed_router(torus, graph);
  const auto& [x, y, z, w] = torus.dimensions;
  network.levels = levels_of(context.devices, {x.size, y.size, z.size, w.size});
  network.period = torus.dimensions[torus.count - 1].stride;
  return network;
}

}  // namespace
}  // namespace torus

const FabricKind kTorusKind = {"torus",
                               "a grid of devices with wraparound links, in one to four dimensions",
                               torus::kParameters, torus::build};

}  // namespace loom::fabric
