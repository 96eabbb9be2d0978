#include "loom/fabric/kinds/optical/rotornet.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/fabric/circuits/rotation_parameters.h"

namespace loom::fabric {
namespace rotornet {
namespace {

// A slot of 200 us, a tenth of it for switching, is the authors' setting (RotorLB_8racks, slot and
// duty).
constexpr std::array kParameters = {
    kUplinkBandwidth,
    Parameter{.name = "switches",
              .type = ValueType::integer,
              .summary = "number of rotor switches; each device has an uplink to each switch; "
                         "auto: one per 16 devices",
              .fallback = "auto",
              .min = 1,
              .max = 100'000,
              .automatic = true},
    slot_parameter("slot", "time for which all switches keep a matching, including switch_time",
                   "200 us"),
    rotation_switch_time("20 us"),
    kUplinkLatency,
    kRotationRouting,
    kLinksWritten};

// Matchings per rotor switch: in the paper's comparison with a crossbar, a rotor switch with 2048
// ports needs mirrors with only 16 directions.
constexpr int kMatchings = 16;

int switches(const Settings& settings, int devices) {
  if (settings.automatic("switches")) return (devices + kMatchings - 1) / kMatchings;
  const std::int64_t given = settings.integer("switches");
  if (given > std::max(1, devices - 1)) {
    settings.refuse("switches", fmt::format("{} devices have only {} matchings to divide over them",
                                            devices, devices - 1));
  }
  return static_cast<int>(given);
}

Network build(const Settings& settings, const FabricContext& context) {
  const Rotation rotation = cyclic_rotation(context.devices, switches(settings, context.devices));
  return rotation_network(settings, rotation, rotation_clock(settings, "slot", 1),
                          rotation_routing(settings, context.routing) == "valiant");
}

std::vector<std::string_view> routings(const Settings& settings, const FabricContext& context) {
  return rotation_routings(settings, context.devices);
}

Bill components(const Settings& settings, const FabricContext& context) {
  return uplink_components(settings, context.devices, switches(settings, context.devices),
                           kTransceiver, kOcsPort);
}

}  // namespace
}  // namespace rotornet

const FabricKind kRotornetKind = {
    "rotornet",
    "rotor switches that cycle through all matchings, whatever the demand (RotorNet)",
    rotornet::kParameters,
    rotornet::build,
    nullptr,
    rotornet::components,
    rotornet::routings};

}  // namespace loom::fabric
