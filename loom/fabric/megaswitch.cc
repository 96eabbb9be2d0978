#include "loom/fabric/megaswitch.h"

#include "loom/fabric/circuit_parameters.h"

namespace loom {
namespace {

// Such switches take about 10 ms (SiP-ML, section 1).
constexpr std::array kParameters = {
    kEgressBandwidth, kWavelength,
    kCircuitLatency,  switch_time_parameter("for which circuits that change are dark", "10 ms"),
    kForwarding,      kObjective,
    kReconfigure,     kPeriod};

// A wavelength joins senders to receivers one to one, as a circuit switch does: the whole spectrum
// is there once for each device, so no wavelength is short.
CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = common_circuits(settings);
  OcsLimits limits;
  limits.devices = context.devices;
  limits.switches = wavelength_count(settings);
  limits.ports = context.devices;
  fabric.circuit = settings.bandwidth("wavelength");
  fabric.limits = limits;
  return fabric;
}

}  // namespace

const FabricKind kMegaswitchKind = {
    "megaswitch", "a fibre for each device, past all others, wavelengths switched (MegaSwitch)",
    kParameters, nullptr, circuits};

}  // namespace loom
