#include "loom/fabric/kinds/optical/mordia.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/fabric/circuits/circuit_parameters.h"

namespace loom::fabric {
namespace mordia {
namespace {

// The default switch time: the prototype switches in 2.8 us, and its receivers are ready 8.7 us
// later (Farrington et al., "A demonstration of ultra-low-latency data center optical circuit
// switching"). A fiber carries 80 wavelengths at a spacing of 50 GHz in the C band (ITU-T G.694.1).
constexpr std::array kParameters = {
    kEgressBandwidth,
    kWavelengthBandwidth,
    Parameter{.name = "wavelengths",
              .type = ValueType::integer,
              .summary = "wavelengths per fiber ring; each serves one circuit at a time",
              .fallback = "80",
              .min = 1,
              .max = 100'000},
    Parameter{.name = "fibers",
              .type = ValueType::integer,
              .summary = "number of parallel fiber rings",
              .fallback = "1",
              .min = 1,
              .max = 100'000},
    kCircuitLatency,
    switch_time_parameter("downtime of a circuit while it is reconfigured", "11.5 us"),
    kForwarding,
    kProvisioner,
    kReconfigure,
    kPeriod,
    kUnserved};

// Wavelengths are not reused: every device sends on wavelengths of its own, which any other device
// may receive. This is a circuit switch with as many planes as a device has wavelengths.
CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = common_circuits(settings);
  const std::int64_t there = settings.integer("wavelengths") * settings.integer("fibers");
  if (there < context.devices) {
    settings.refuse("wavelengths", fmt::format("{} fibers carry {}; {} devices need one each",
                                               settings.integer("fibers"), there, context.devices));
  }
  OcsLimits limits;
  limits.devices = limits.ports = context.devices;
  limits.switches =
      static_cast<int>(std::min<std::int64_t>(wavelength_count(settings), there / context.devices));
  fabric.circuit = settings.bandwidth("wavelength_bandwidth");
  fabric.limits = limits;
  return fabric;
}

// Every device has a transceiver for each of its wavelengths, and a port of its station's
// wavelength-selective switch to receive a wavelength of another device.
Bill components(const Settings& settings, const FabricContext& context) {
  const CircuitFabric fabric = circuits(settings, context);
  const std::int64_t wavelengths =
      std::int64_t{context.devices} * std::get<OcsLimits>(fabric.limits).switches;
  Bill components;
  for (const std::string_view component : {kNic, kDwdmTransceiver, kWssPort}) {
    add_component(components, component, fabric.circuit, wavelengths);
  }
  add_component(components, kFiber, fabric.circuit, context.devices * settings.integer("fibers"));
  return components;
}

}  // namespace
}  // namespace mordia

const FabricKind kMordiaKind = {"mordia",
                                "a fiber ring on which each wavelength serves one pair (Mordia)",
                                mordia::kParameters,
                                nullptr,
                                mordia::circuits,
                                mordia::components};

}  // namespace loom::fabric
