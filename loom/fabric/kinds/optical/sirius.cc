#include "loom/fabric/kinds/optical/sirius.h"

#include "loom/fabric/circuits/rotation_parameters.h"

namespace loom::fabric {
namespace sirius {
namespace {

// Slots of 100 ns with a guard time of 10 ns, and gratings of 16 ports, are those of the paper's
// simulations; its prototype tunes in 3.84 ns (abstract).
constexpr std::array kParameters = {
    kUplinkBandwidth,
    Parameter{
        .name = "grating",
        .type = ValueType::integer,
        .summary = "ports and wavelengths per grating; each device has one uplink per grating",
        .fallback = "16",
        .min = 2,
        .max = 10'000},
    slot_parameter("slot", "time for which a laser keeps a wavelength, including switch_time",
                   "100 ns"),
    rotation_switch_time("10 ns"),
    kUplinkLatency,
    kLinksWritten};

// Number of gratings; each device has one uplink per grating. As its wavelength changes, an uplink
// reaches the devices behind its grating one after another, so all uplinks together reach every
// device once per epoch.
int gratings(const Settings& settings, const FabricContext& context) {
  const std::int64_t ports = settings.integer("grating");
  return static_cast<int>((context.devices + ports - 1) / ports);
}

Network build(const Settings& settings, const FabricContext& context) {
  return rotation_network(settings, cyclic_rotation(context.devices, gratings(settings, context)),
                          rotation_clock(settings, "slot", 1), true);
}

// One tunable laser and one port of a grating per uplink.
Bill components(const Settings& settings, const FabricContext& context) {
  return uplink_components(settings, context.devices, gratings(settings, context), kDwdmTransceiver,
                           kMuxPort);
}

}  // namespace
}  // namespace sirius

const FabricKind kSiriusKind = {
    "sirius",
    "lasers that tune to all devices in turn every microsecond, with relaying (Sirius)",
    sirius::kParameters,
    sirius::build,
    nullptr,
    sirius::components};

}  // namespace loom::fabric
