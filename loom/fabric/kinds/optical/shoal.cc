#include "loom/fabric/kinds/optical/shoal.h"

#include "loom/fabric/circuits/rotation_parameters.h"

namespace loom {
namespace {

// The switches change in nanoseconds (abstract); slots ten times as long keep nine tenths of the
// bandwidth.
constexpr std::array kParameters = {
    kUplinkBandwidth,
    slot_parameter("slot", "for which a switch keeps a matching, with the reconfiguration",
                   "50 ns"),
    rotation_switch_time("5 ns"),
    kUplinkLatency,
    rotation_routing("valiant"),
    kLinksWritten};

// One uplink of each device, to switches that together are one.
Network build(const Settings& settings, const FabricContext& context) {
  return rotation_network(settings, cyclic_rotation(context.devices, 1),
                          rotation_clock(settings, "slot", 1),
                          settings.text("routing") == "valiant");
}

Bill components(const Settings& settings, const FabricContext& context) {
  return uplink_components(settings, context.devices, 1, kTransceiver, kOcsPort);
}

}  // namespace

const FabricKind kShoalKind = {
    "shoal",     "a rack of fast circuit switches with a static schedule, all relayed (Shoal)",
    kParameters, build,
    nullptr,     components};

}  // namespace loom
