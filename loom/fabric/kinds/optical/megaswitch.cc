#include "loom/fabric/kinds/optical/megaswitch.h"

#include "loom/fabric/circuits/circuit_parameters.h"

namespace loom {
namespace {

// Such switches take about 10 ms (SiP-ML, section 1).
constexpr std::array kParameters = {
    kEgressBandwidth, kWavelength,
    kCircuitLatency,  switch_time_parameter("for which circuits that change are dark", "10 ms"),
    kForwarding,      kObjective,
    kReconfigure,     kPeriod,
    kMeanwhile};

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

// The fibre of every device passes all others, and each picks from it with a port of its
// wavelength-selective switch.
Bill components(const Settings& settings, const FabricContext& context) {
  const CircuitFabric fabric = circuits(settings, context);
  const std::int64_t devices = context.devices;
  Bill components;
  for (const std::string_view component : {kNic, kDwdmTransceiver}) {
    add_component(components, component, fabric.circuit,
                  devices * std::get<OcsLimits>(fabric.limits).switches);
  }
  for (const std::string_view component : {kWssPort, kFibre}) {
    add_component(components, component, fabric.circuit, devices * (devices - 1));
  }
  return components;
}

}  // namespace

const FabricKind kMegaswitchKind = {
    "megaswitch", "a fibre for each device, past all others, wavelengths switched (MegaSwitch)",
    kParameters,  nullptr,
    circuits,     components};

}  // namespace loom
