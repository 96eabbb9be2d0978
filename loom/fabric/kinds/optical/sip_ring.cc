#include "loom/fabric/kinds/optical/sip_ring.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/fabric/circuits/circuit_parameters.h"

namespace loom {
namespace {

constexpr std::array kDirections = {std::string_view("one_way"), std::string_view("two_way")};

// Five fibres in two directions and 25 us are the authors' settings (SiP-ML, sections 3 and 5).
constexpr std::array kRing = {
    kEgressBandwidth,
    kWavelength,
    Parameter{.name = "fibres",
              .type = ValueType::integer,
              .summary = "rings in parallel; five, or fewer where the wavelengths do not divide",
              .fallback = "auto",
              .min = 1,
              .max = 1'000,
              .automatic = true},
    Parameter{.name = "direction",
              .type = ValueType::choice,
              .summary = "whether light goes both ways round",
              .fallback = "two_way",
              .choices = kDirections},
    Parameter{.name = "reach",
              .type = ValueType::integer,
              .summary = "segments that a circuit may be long; 0: any number",
              .fallback = "0",
              .max = 1'000'000},
    Parameter{.name = "reuse",
              .type = ValueType::boolean,
              .summary = "a wavelength serves circuits on all disjoint arcs, not one all round",
              .fallback = "true"},
    kCircuitLatency,
    switch_time_parameter("for which resonators that retune are dark", "25 us"),
    kForwarding,
    kObjective,
    kReconfigure,
    kPeriod,
    kMeanwhile,
    Parameter{.name = "amplified",
              .type = ValueType::boolean,
              .summary = "light is amplified where it must be; else its loss limits the reach",
              .fallback = "true"}};

constexpr auto kParameters = joined(kRing, kLossParameters);

// The wavelengths of a device are divided over fibres and directions.
int fibre_count(const Settings& settings, int wavelengths, int directions) {
  constexpr int kUsual = 5;
  if (!settings.automatic("fibres")) return static_cast<int>(settings.integer("fibres"));
  for (int fibres = kUsual; fibres > 1; --fibres) {
    if (wavelengths % (fibres * directions) == 0) return fibres;
  }
  return 1;
}

void limit_reach(const Settings& settings, int farthest, RingLimits& limits) {
  if (farthest == 0) {
    settings.refuse("amplified", "light does not even reach a neighbour; less loss is needed");
  }
  limits.reach = limits.reach == 0 ? farthest : std::min(limits.reach, farthest);
}

CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = common_circuits(settings);
  const int wavelengths = wavelength_count(settings);
  RingLimits limits;
  limits.devices = context.devices;
  limits.directions = settings.text("direction") == "two_way" ? 2 : 1;
  limits.fibres = fibre_count(settings, wavelengths, limits.directions);
  limits.wavelengths = wavelengths / (limits.fibres * limits.directions);
  limits.reach = static_cast<int>(settings.integer("reach"));
  limits.reuse = settings.boolean("reuse");
  if (limits.wavelengths == 0) {
    settings.refuse("bandwidth",
                    fmt::format("it makes {} wavelengths; {} fibres in {} directions need one each",
                                wavelengths, limits.fibres, limits.directions));
  }
  fabric.components.sip = true;
  fabric.loss_budget = loss_budget(settings);
  if (!settings.boolean("amplified")) limit_reach(settings, reach(*fabric.loss_budget), limits);
  fabric.circuit = settings.bandwidth("wavelength");
  fabric.limits = limits;
  return fabric;
}

}  // namespace

const FabricKind kSipRingKind = {"sip_ring",
                                 "fibre rings with wavelengths reused on disjoint arcs (SiP-ML)",
                                 kParameters, nullptr, circuits};

}  // namespace loom
