#include "loom/fabric/kinds/optical/sip_ring.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/fabric/circuits/circuit_parameters.h"

namespace loom::fabric {
namespace sip_ring {
namespace {

constexpr std::array kDirections = {std::string_view("unidirectional"),
                                    std::string_view("bidirectional")};

// Five fibers in two directions and a switch time of 25 us are the authors' settings (SiP-ML,
// sections 3 and 5).
constexpr std::array kRing = {
    kEgressBandwidth,
    kWavelengthBandwidth,
    Parameter{.name = "fibers",
              .type = ValueType::integer,
              .summary =
                  "number of parallel fiber rings; auto: five, or fewer if the wavelengths do "
                  "not divide evenly",
              .fallback = "auto",
              .min = 1,
              .max = 1'000,
              .automatic = true},
    Parameter{.name = "direction",
              .type = ValueType::choice,
              .summary = "directions in which light travels around the ring: one or both",
              .fallback = "bidirectional",
              .choices = kDirections},
    Parameter{.name = "reach",
              .type = ValueType::integer,
              .summary = "maximum length of a circuit in segments; 0: unlimited",
              .fallback = "0",
              .max = 1'000'000},
    Parameter{.name = "reuse",
              .type = ValueType::boolean,
              .summary = "reuse of a wavelength by several circuits on disjoint arcs",
              .fallback = "true"},
    kCircuitLatency,
    switch_time_parameter("downtime of a resonator while it retunes", "25 us"),
    kForwarding,
    kProvisioner,
    kReconfigure,
    kPeriod,
    kUnserved,
    Parameter{
        .name = "amplified",
        .type = ValueType::boolean,
        .summary = "amplification of light as needed; without it, optical loss limits the reach",
        .fallback = "true"}};

constexpr auto kParameters = concatenated(kRing, kLossParameters);

// Number of fibers over which, together with the directions, the wavelengths of a device are
// divided.
int fiber_count(const Settings& settings, int wavelengths, int directions) {
  constexpr int kUsual = 5;
  if (!settings.automatic("fibers")) return static_cast<int>(settings.integer("fibers"));
  for (int fibers = kUsual; fibers > 1; --fibers) {
    if (wavelengths % (fibers * directions) == 0) return fibers;
  }
  return 1;
}

void limit_reach(const Settings& settings, int farthest, RingLimits& limits) {
  if (farthest == 0) {
    settings.refuse("amplified", "light does not even reach a neighbor; less loss is needed");
  }
  limits.reach = limits.reach == 0 ? farthest : std::min(limits.reach, farthest);
}

CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = common_circuits(settings);
  const int wavelengths = wavelength_count(settings);
  RingLimits limits;
  limits.devices = context.devices;
  limits.directions = settings.text("direction") == "bidirectional" ? 2 : 1;
  limits.fibers = fiber_count(settings, wavelengths, limits.directions);
  limits.wavelengths = wavelengths / (limits.fibers * limits.directions);
  limits.reach = static_cast<int>(settings.integer("reach"));
  limits.reuse = settings.boolean("reuse");
  if (limits.wavelengths == 0) {
    settings.refuse(
        "bandwidth",
        fmt::format("it provides {} wavelengths; {} fibers in {} directions need one each",
                    wavelengths, limits.fibers, limits.directions));
  }
  fabric.components.sip = true;
  fabric.loss_budget = loss_budget(settings);
  if (!settings.boolean("amplified")) limit_reach(settings, reach(*fabric.loss_budget), limits);
  fabric.circuit = settings.bandwidth("wavelength_bandwidth");
  fabric.limits = limits;
  return fabric;
}

}  // namespace
}  // namespace sip_ring

const FabricKind kSipRingKind = {"sip_ring",
                                 "fiber rings with wavelengths reused on disjoint arcs (SiP-ML)",
                                 sip_ring::kParameters, nullptr, sip_ring::circuits};

}  // namespace loom::fabric
