#include "loom/fabric/kinds/optical/shoal.h"

#include "loom/fabric/circuits/rotation_parameters.h"

namespace loom::fabric {
namespace shoal {
namespace {

// The switches reconfigure in nanoseconds (abstract); with slots ten times as long, 90 % of the
// bandwidth is usable.
constexpr std::array kParameters = {
    kUplinkBandwidth,
    slot_parameter("slot", "time for which a switch keeps a matching, including switch_time",
                   "50 ns"),
    rotation_switch_time("5 ns"),
    kUplinkLatency,
    kRotationRouting,
    kLinksWritten};

// Every device has one uplink, and all switches together act as one switch.
Network build(const Settings& settings, const FabricContext& context) {
  return rotation_network(settings, cyclic_rotation(context.devices, 1),
                          rotation_clock(settings, "slot", 1),
                          rotation_routing(settings, context.routing) == "valiant");
}

std::vector<std::string_view> routings(const Settings& settings, const FabricContext& context) {
  return rotation_routings(settings, context.devices);
}

Bill components(const Settings& settings, const FabricContext& context) {
  return uplink_components(settings, context.devices, 1, kTransceiver, kOcsPort);
}

}  // namespace
}  // namespace shoal

const FabricKind kShoalKind = {
    "shoal",
    "a rack of fast circuit switches with a static schedule and relaying (Shoal)",
    shoal::kParameters,
    shoal::build,
    nullptr,
    shoal::components,
    shoal::routings};

}  // namespace loom::fabric
