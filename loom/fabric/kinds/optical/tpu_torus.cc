#include "loom/fabric/kinds/optical/tpu_torus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace tpu_torus {
namespace {

constexpr int kSides = 3;
constexpr int kCube = 4;   // devices along a side of a cube
constexpr int kLinks = 6;  // per device

// A pod has 64 cubes, as many as its switches have ports for (section 2).
constexpr std::array kParameters = {
    Parameter{
        .name = "shape",
        .type = ValueType::shape,
        .summary = "size of the slice, such as 4x4x8: multiples of 4, or within one 4x4x4 cube",
        .required = true},
    Parameter{.name = "twisted",
              .type = ValueType::boolean,
              .summary = "twisted torus: wrapping around a short side shifts halfway along the "
                         "long sides; only for kxkx2k and kx2kx2k",
              .fallback = "false"},
    Parameter{.name = "bandwidth",
              .type = ValueType::bandwidth,
              .summary = "total egress bandwidth of one device, summed over its six links",
              .required = true,
              .min = 1},
    kLatency,
    Parameter{.name = "cubes",
              .type = ValueType::integer,
              .summary = "number of cubes in the pod",
              .fallback = "64",
              .min = 1,
              .max = 100'000},
    routing_parameter("split")};

// The device at (x, y, z) has number x + X·(y + Y·z).
struct Slice {
  std::array<int, kSides> size{};
  bool closed = false;  // all sides wrap around
  // twist[s][t]: shift along t when wrapping around s.
  std::array<std::array<int, kSides>, kSides> twist{};

  int device(const std::array<int, kSides>& at) const {
    return at[0] + size[0] * (at[1] + size[1] * at[2]);
  }

  // The device one step along a side; -1 if there is no link.
  int neighbor(std::array<int, kSides> at, int side, bool up) const {
    const bool round = at[side] == (up ? size[side] - 1 : 0);
    if (round && !closed) return -1;
    at[side] = round ? (up ? 0 : size[side] - 1) : at[side] + (up ? 1 : -1);
    for (int other = 0; round && other < kSides; ++other) {
      const int moved = at[other] + (up ? twist[side][other] : -twist[side][other]);
      at[other] = (moved + size[other]) % size[other];
    }
    return device(at);
  }
};

void check_cubes(const Settings& settings, const Slice& slice) {
  const auto& size = slice.size;
  const bool inside = *std::max_element(size.begin(), size.end()) <= kCube;
  if (!slice.closed && !inside) {
    settings.refuse("shape",
                    "a slice larger than one 4x4x4 cube consists of complete cubes; multiples of 4 "
                    "are needed");
  }
  std::int64_t cubes = 1;
  for (const int it : size) cubes *= std::max(1, it / kCube);
  if (cubes > settings.integer("cubes")) {
    settings.refuse("shape", fmt::format("it takes {} cubes; the pod has {}", cubes,
                                         settings.integer("cubes")));
  }
}

void set_twist(const Settings& settings, Slice& slice) {
  const int k = *std::min_element(slice.size.begin(), slice.size.end());
  const auto are = [&](int size) { return std::count(slice.size.begin(), slice.size.end(), size); };
  if (!slice.closed || are(2 * k) == 0 || are(k) + are(2 * k) < kSides) {
    settings.refuse("twisted", fmt::format("a slice of {} cannot be twisted; kxkx2k or kx2kx2k "
                                           "of complete cubes is needed",
                                           settings.text("shape")));
  }
  for (int side = 0; side < kSides; ++side) {
    for (int other = 0; slice.size[side] == k && other < kSides; ++other) {
      if (slice.size[other] == 2 * k) slice.twist[side][other] = k;
    }
  }
}

Slice read_slice(const Settings& settings, int devices) {
  const std::vector<int> sizes = settings.shape("shape");
  if (sizes.size() != kSides) settings.refuse("shape", "three sizes, such as 4x4x8, are needed");
  Slice slice;
  std::int64_t product = 1;
  for (int side = 0; side < kSides; ++side) {
    slice.size[side] = sizes[static_cast<std::size_t>(side)];
    product = std::min(product * slice.size[side], std::int64_t{1} << 31);
  }
  if (product != devices) {
    settings.refuse("shape", fmt::format("sizes whose product is {} are needed", devices));
  }
  slice.closed =
      std::all_of(slice.size.begin(), slice.size.end(), [](int size) { return size % kCube == 0; });
  check_cubes(settings, slice);
  if (settings.boolean("twisted")) set_twist(settings, slice);
  return slice;
}

void add_links(Network& network, const Slice& slice, Bandwidth bandwidth, Duration latency) {
  std::array<int, kSides> at{};
  for (at[2] = 0; at[2] < slice.size[2]; ++at[2]) {
    for (at[1] = 0; at[1] < slice.size[1]; ++at[1]) {
      for (at[0] = 0; at[0] < slice.size[0]; ++at[0]) {
        for (int port = 0; port < kLinks; ++port) {
          const int to = slice.neighbor(at, port / 2, port % 2 == 0);
          if (to >= 0)
            add_link(network, {NodeId(slice.device(at)), NodeId(to), bandwidth, latency});
        }
      }
    }
  }
}

Network build(const Settings& settings, const FabricContext& context) {
  const Slice slice = read_slice(settings, context.devices);
  const Bandwidth link{settings.bandwidth("bandwidth").bits_per_second / kLinks};
  if (link.bits_per_second == 0)
    settings.refuse("bandwidth", "divided over 6 links, it is below 1 bps");
  Network network = bare_network(context.devices);
  add_links(network, slice, link, settings.duration("latency"));
  network.router = graph_router(network, routing(settings), context.seed, true);
  network.levels = levels_of(context.devices, {slice.size[0], slice.size[1], slice.size[2]});
  return network;
}

// Links inside a cube are copper; each link at its six faces is a fiber with one transceiver, which
// ends at a port of a circuit switch (section 2).
Bill components(const Settings& settings, const FabricContext& context) {
  constexpr int kFaces = 6;
  const auto ends = static_cast<std::int64_t>(build(settings, context).links.size());
  const Bandwidth rate{settings.bandwidth("bandwidth").bits_per_second / kLinks};
  const bool closed = read_slice(settings, context.devices).closed;
  const std::int64_t cubes = context.devices / (kCube * kCube * kCube);
  const std::int64_t outside = closed ? cubes * kFaces * kCube * kCube : 0;
  Bill components;
  add_component(components, kNic, rate, ends);
  add_component(components, kDac, rate, (ends - outside) / 2);
  add_component(components, kTransceiver, rate, outside);
  add_component(components, kFiber, rate, outside);
  add_component(components, kOcsPort, rate, outside);
  return components;
}

}  // namespace
}  // namespace tpu_torus

const FabricKind kTpuTorusKind = {
    "tpu_torus",
    "cubes connected into a torus by circuit switches, optionally twisted (TPU v4)",
    tpu_torus::kParameters,
    tpu_torus::build,
    nullptr,
    tpu_torus::components};

}  // namespace loom::fabric
