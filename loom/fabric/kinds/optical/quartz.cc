#include "loom/fabric/kinds/optical/quartz.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/fabric/circuits/circuit_parameters.h"
#include "loom/fabric/kinds/electrical/full_mesh.h"

namespace loom::fabric {
namespace quartz {
namespace {

// The paper assumes 160 wavelengths per fiber (Quartz, section 3).
constexpr std::array kParameters = {kEgressBandwidth,
                                    Parameter{.name = "wavelengths",
                                              .type = ValueType::integer,
                                              .summary = "wavelengths per fiber",
                                              .fallback = "160",
                                              .min = 1,
                                              .max = 100'000},
                                    Parameter{.name = "fibers",
                                              .type = ValueType::integer,
                                              .summary = "number of parallel fiber rings",
                                              .fallback = "2",
                                              .min = 1,
                                              .max = 100'000},
                                    kCircuitLatency};

// Bandwidth of each pair's channel. Throws InputError if the rings have too few wavelengths.
Bandwidth channel_of(const Settings& settings, const FabricContext& context) {
  const int needed = quartz_wavelengths(context.devices);
  const std::int64_t there = settings.integer("wavelengths") * settings.integer("fibers");
  if (needed > there) {
    settings.refuse("wavelengths",
                    fmt::format("a mesh of {} devices needs at least {}; {} fibers carry {}",
                                context.devices, needed, settings.integer("fibers"), there));
  }
  const std::int64_t links = std::max(1, context.devices - 1);
  const Bandwidth channel{settings.bandwidth("bandwidth").bits_per_second / links};
  if (channel.bits_per_second == 0) {
    settings.refuse("bandwidth", fmt::format("divided over {} channels, it is below 1 bps", links));
  }
  return channel;
}

Network build(const Settings& settings, const FabricContext& context) {
  return fixed_mesh(context.devices, channel_of(settings, context), settings.duration("latency"));
}

// Every device has a transceiver and a multiplexer port for each peer; the rings pass all devices.
Bill components(const Settings& settings, const FabricContext& context) {
  const Bandwidth channel = channel_of(settings, context);
  const std::int64_t devices = context.devices;
  Bill components;
  for (const std::string_view component : {kNic, kDwdmTransceiver, kMuxPort}) {
    add_component(components, component, channel, devices * (devices - 1));
  }
  add_component(components, kFiber, channel, devices * settings.integer("fibers"));
  return components;
}

}  // namespace
}  // namespace quartz

// The shorter arcs of all pairs: n pairs at each distance below n / 2 and, for even n, n / 2 pairs
// at distance n / 2. Their lengths add up to n · (n² - 1) / 8 for odd n and n³ / 8 for even n.
int quartz_wavelengths(int devices) {
  const std::int64_t n = devices;
  const std::int64_t lengths = n % 2 == 1 ? n * (n * n - 1) / 8 : n * n * n / 8;
  return static_cast<int>((lengths + n - 1) / n);
}

const FabricKind kQuartzKind = {"quartz",
                                "a full mesh of fixed channels over fiber rings (Quartz)",
                                quartz::kParameters,
                                quartz::build,
                                nullptr,
                                quartz::components};

}  // namespace loom::fabric
