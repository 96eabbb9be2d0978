#include "loom/fabric/kinds/optical/megaswitch.h"

#include "loom/fabric/circuits/circuit_parameters.h"

namespace loom::fabric {
namespace megaswitch {
namespace {

// Optical switches reconfigure in about 10 ms (SiP-ML, section 1).
constexpr std::array kParameters = {
    kEgressBandwidth,
    kWavelengthBandwidth,
    kCircuitLatency,
    switch_time_parameter("downtime of a circuit while it is reconfigured", "10 ms"),
    kForwarding,
    kProvisioner,
    kReconfigure,
    kPeriod,
    kUnserved};

// Each wavelength connects senders to receivers one to one, like a circuit switch. Every device has
// the full spectrum on its own fiber, so wavelengths never run out.
CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = common_circuits(settings);
  OcsLimits limits;
  limits.devices = context.devices;
  limits.switches = wavelength_count(settings);
  limits.ports = context.devices;
  fabric.circuit = settings.bandwidth("wavelength_bandwidth");
  if (may_find_topologies(fabric, limits)) fabric.finder = rules_for(limits.switches);
  fabric.limits = limits;
  return fabric;
}

// The fiber of every device passes all other devices, and each of these receives from the fiber
// through a port of its wavelength-selective switch.
Bill components(const Settings& settings, const FabricContext& context) {
  const CircuitFabric fabric = circuits(settings, context);
  const std::int64_t devices = context.devices;
  Bill components;
  for (const std::string_view component : {kNic, kDwdmTransceiver}) {
    add_component(components, component, fabric.circuit,
                  devices * std::get<OcsLimits>(fabric.limits).switches);
  }
  for (const std::string_view component : {kWssPort, kFiber}) {
    add_component(components, component, fabric.circuit, devices * (devices - 1));
  }
  return components;
}

}  // namespace
}  // namespace megaswitch

const FabricKind kMegaswitchKind = {
    "megaswitch",
    "one fiber per device that passes all other devices, with switched wavelengths (MegaSwitch)",
    megaswitch::kParameters,
    nullptr,
    megaswitch::circuits,
    megaswitch::components};

}  // namespace loom::fabric
