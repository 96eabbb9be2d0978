#include "loom/fabric/kinds/optical/sirius.h"

#include "loom/fabric/circuits/rotation_parameters.h"

namespace loom {
namespace {

// Slots of 100 ns with a guard of 10 ns, and gratings of 16 ports, are those of the paper's
// simulations; its prototype changes in 3.84 ns (abstract).
constexpr std::array kParameters = {
    kUplinkBandwidth,
    Parameter{.name = "grating",
              .type = ValueType::integer,
              .summary = "ports of a grating, and as many wavelengths: a device has an uplink for "
                         "each so many devices",
              .fallback = "16",
              .min = 2,
              .max = 10'000},
    slot_parameter("slot", "for which a laser keeps a wavelength, with the reconfiguration",
                   "100 ns"),
    rotation_switch_time("10 ns"),
    kUplinkLatency,
    kLinksWritten};

// Uplink p of a device meets the devices behind its grating one after another, as the wavelength
// changes: with enough uplinks for all gratings, everybody once an epoch.
// An uplink of each device to each.
int gratings(const Settings& settings, const FabricContext& context) {
  const std::int64_t ports = settings.integer("grating");
  return static_cast<int>((context.devices + ports - 1) / ports);
}

Network build(const Settings& settings, const FabricContext& context) {
  return rotation_network(settings, cyclic_rotation(context.devices, gratings(settings, context)),
                          rotation_clock(settings, "slot", 1), true);
}

// A tunable laser for each uplink, and a port of a grating.
Bill components(const Settings& settings, const FabricContext& context) {
  return uplink_components(settings, context.devices, gratings(settings, context), kDwdmTransceiver,
                           kMuxPort);
}

}  // namespace

const FabricKind kSiriusKind = {
    "sirius",    "lasers tuned round all devices every microsecond, all relayed (Sirius)",
    kParameters, build,
    nullptr,     components};

}  // namespace loom
