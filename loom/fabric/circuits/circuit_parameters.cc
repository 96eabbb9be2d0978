#include "loom/fabric/circuits/circuit_parameters.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::fabric {

namespace {

Duration read_period(const Settings& settings, const CircuitFabric& fabric) {
  constexpr Duration kUsual = std::chrono::milliseconds(1);
  if (settings.automatic("period")) return std::max(kUsual, times(4, fabric.switch_time));
  if (fabric.reconfigure != Reconfigure::periodic) {
    settings.refuse("period", "it applies to reconfigure: periodic only");
  }
  const Duration period = settings.duration("period");
  if (period <= fabric.switch_time) {
    settings.refuse(
        "period", fmt::format("it must be longer than switch_time, {}", exact(fabric.switch_time)));
  }
  return period;
}

}  // namespace

CircuitFabric common_circuits(const Settings& settings) {
  CircuitFabric fabric = unforwarded_circuits(settings);
  fabric.forwarding = settings.boolean("forwarding");
  if (settings.text("unserved") != kUnservedNames[0]) {
    if (fabric.reconfigure != Reconfigure::periodic) {
      settings.refuse("unserved", "it applies to reconfigure: periodic only");
    }
    if (!fabric.forwarding)
      settings.refuse("unserved", "devices do not forward; forwarding: true is needed");
    fabric.unserved = Unserved::forward;
  }
  return fabric;
}

CircuitFabric unforwarded_circuits(const Settings& settings) {
  CircuitFabric fabric;
  const auto chosen = [&](std::string_view name, const auto& names) {
    return std::find(names.begin(), names.end(), settings.text(name)) - names.begin();
  };
  fabric.egress = settings.bandwidth("bandwidth");
  fabric.latency = settings.duration("latency");
  fabric.switch_time = settings.duration("switch_time");
  fabric.forwarding = false;
  const std::string provisioner = settings.text("provisioner");
  fabric.best_of_all = provisioner == kProvisionerChoices.front();
  if (!fabric.best_of_all) fabric.provisioner = named(kProvisioners, provisioner);
  fabric.reconfigure = static_cast<Reconfigure>(chosen("reconfigure", kReconfigureNames));
  fabric.period = read_period(settings, fabric);
  return fabric;
}

int wavelength_count(const Settings& settings) {
  constexpr std::int64_t kMaxWavelengths = 1'000'000;
  const std::int64_t count = settings.bandwidth("bandwidth").bits_per_second /
                             settings.bandwidth("wavelength_bandwidth").bits_per_second;
  if (count < 1 || count > kMaxWavelengths) {
    settings.refuse(
        "bandwidth",
        fmt::format("it provides {} wavelengths of {}; 1 to {} are possible", count,
                    exact(settings.bandwidth("wavelength_bandwidth")), kMaxWavelengths));
  }
  return static_cast<int>(count);
}

}  // namespace loom::fabric
