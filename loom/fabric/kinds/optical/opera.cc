#include "loom/fabric/kinds/optical/opera.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/random.h"
#include "loom/fabric/circuits/rotation_parameters.h"
#include "loom/fabric/network/graph_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace opera {
namespace {

constexpr std::array<std::string_view, 4> kOperaRoutings = {"auto", "direct", "valiant",
                                                            "expander"};

// The authors use a switch time of 10 us (opera-sim, topology generator). A slice lasts 90 us, the
// maximum time of a packet over the expander, plus a reconfiguration (section 4).
constexpr std::array kParameters = {
    kUplinkBandwidth,
    Parameter{.name = "switches",
              .type = ValueType::integer,
              .summary = "number of rotor switches, a divisor of the number of devices; each "
                         "device has an uplink to each switch; auto: the largest divisor up to 8",
              .fallback = "auto",
              .min = 1,
              .max = 100'000,
              .automatic = true},
    slot_parameter("slice", "time between the reconfigurations of two switches", "100 us"),
    rotation_switch_time("10 us"),
    kUplinkLatency,
    Parameter{.name = "routing",
              .type = ValueType::choice,
              .summary = "path of a message: the pair's own circuit once it is up (direct), two "
                         "hops over all devices (valiant), or several hops over the current "
                         "circuits (expander); auto: whichever is fastest for the work",
              .fallback = "auto",
              .choices = kOperaRoutings},
    kLinksWritten};

// In slice q · planes + p, plane p changes from its matching of slot q - 1 to that of slot q;
// planes before it have already changed, planes after it have not.
int peer_in(const Rotation& rotation, int slice, int plane, int device) {
  const int changing = slice % rotation.planes;
  if (plane == changing) return device;
  const int now = slice / rotation.planes % rotation.slots;
  const int before = (now + rotation.slots - 1) % rotation.slots;
  return rotation.peer(plane, plane < changing ? now : before, device);
}

// Number of switches, a divisor of the number of matchings (opera-sim requires the same).
int switches(const Settings& settings, int devices) {
  constexpr int kUsual = 8;
  if (settings.automatic("switches")) {
    int max = std::min(kUsual, devices);
    while (devices % max != 0) --max;
    return max;
  }
  const std::int64_t given = settings.integer("switches");
  if (devices % given != 0) {
    settings.refuse("switches", fmt::format("{} matchings do not divide evenly; a divisor of "
                                            "{} is needed",
                                            devices, devices));
  }
  return static_cast<int>(given);
}

// A random rotation in which the circuits of every slice connect all devices, so that any slice can
// stand for all.
std::optional<Rotation> expanding_rotation(int devices, int planes, std::uint64_t seed) {
  constexpr std::uint64_t kTries = 32;
  for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
    Rotation rotation = random_rotation(devices, planes, mix(seed, attempt));
    if (!opera_gap(rotation)) return rotation;
  }
  return std::nullopt;
}

[[noreturn]] void refuse_expander(const Settings& settings, int devices, int planes) {
  settings.refuse("routing",
                  fmt::format("while one of {} switches changes, the others do not connect "
                              "all {} devices; more switches are needed",
                              planes, devices));
}

Network expander(const Settings& settings, const FabricContext& context, int planes) {
  const auto rotation = expanding_rotation(context.devices, planes, context.seed);
  if (!rotation) refuse_expander(settings, context.devices, planes);
  const Bandwidth uplink{settings.bandwidth("bandwidth").bits_per_second / planes};
  if (uplink.bits_per_second == 0) {
    settings.refuse("bandwidth", fmt::format("divided over {} uplinks, it is below 1 bps", planes));
  }
  Network network = bare_network(context.devices);
  for (const auto& circuit : opera_slice(*rotation, 0)) {
    add_link(network,
             {NodeId(circuit.first), NodeId(circuit.second), uplink, settings.duration("latency")});
  }
  network.router = graph_router(network, Routing::split, context.seed, true);
  return network;
}

Network build(const Settings& settings, const FabricContext& context) {
  const int planes = switches(settings, context.devices);
  const RotationClock clock = rotation_clock(settings, "slice", planes);
  const std::string routing = rotation_routing(settings, context.routing);
  if (routing == "expander" && context.devices > 1) return expander(settings, context, planes);
  return rotation_network(settings, random_rotation(context.devices, planes, context.seed), clock,
                          routing == "valiant");
}

std::vector<std::string_view> routings(const Settings& settings, const FabricContext& context) {
  std::vector<std::string_view> all = rotation_routings(settings, context.devices);
  const int planes = switches(settings, context.devices);
  const bool pairs = all.size() > 1 && context.devices > 1;
  if (pairs && expanding_rotation(context.devices, planes, context.seed)) {
    all.emplace_back("expander");
  }
  return all;
}

Bill components(const Settings& settings, const FabricContext& context) {
  return uplink_components(settings, context.devices, switches(settings, context.devices),
                           kTransceiver, kOcsPort);
}

}  // namespace
}  // namespace opera

std::vector<std::pair<int, int>> opera_slice(const Rotation& rotation, int slice) {
  std::vector<std::pair<int, int>> circuits;
  for (int device = 0; device < rotation.devices; ++device) {
    for (int plane = 0; plane < rotation.planes; ++plane) {
      const int peer = opera::peer_in(rotation, slice, plane, device);
      if (peer != device) circuits.emplace_back(device, peer);
    }
  }
  return circuits;
}

// Searches from device 0 only. That is enough, because reachability is symmetric: the circuits of a
// plane form a permutation, that is, a union of cycles.
std::optional<Infeasible> opera_gap(const Rotation& rotation) {
  const auto devices = static_cast<std::size_t>(rotation.devices);
  for (int slice = 0; slice < rotation.planes * rotation.slots; ++slice) {
    std::vector<bool> seen(devices, false);
    std::vector<int> open = {0};
    seen[0] = true;
    for (std::size_t at = 0; at < open.size(); ++at) {
      for (int plane = 0; plane < rotation.planes; ++plane) {
        const int peer = opera::peer_in(rotation, slice, plane, open[at]);
        if (!seen[static_cast<std::size_t>(peer)]) open.push_back(peer);
        seen[static_cast<std::size_t>(peer)] = true;
      }
    }
    if (open.size() < devices) {
      return Infeasible{
          fmt::format("slice {} connects {} of {} devices", slice, open.size(), devices)};
    }
  }
  return std::nullopt;
}

const FabricKind kOperaKind = {
    "opera",
    "rotor switches that change one at a time: always an expander (Opera)",
    opera::kParameters,
    opera::build,
    nullptr,
    opera::components,
    opera::routings};

}  // namespace loom::fabric
