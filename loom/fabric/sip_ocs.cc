#include "loom/fabric/sip_ocs.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/csv.h"
#include "loom/base/files.h"
#include "loom/fabric/circuit_parameters.h"

namespace loom {
namespace {

// 20 switches are the authors' setting; commercial ones turn in about 10 ms (SiP-ML, section 1).
constexpr std::array kParameters = {
    kEgressBandwidth,
    Parameter{.name = "switches",
              .type = ValueType::whole,
              .summary = "a device has a port on each; a circuit carries bandwidth / switches",
              .fallback = "20",
              .least = 1,
              .most = 10'000},
    Parameter{.name = "ports",
              .type = ValueType::whole,
              .summary = "of each switch; as many as devices if not given",
              .least = 1,
              .most = 1'000'000},
    Parameter{
        .name = "wiring",
        .type = ValueType::text,
        .summary = "CSV file of switch and device; every device on every switch if not given"},
    kCircuitLatency,
    switch_time_parameter("for which circuits that change are dark", "10 ms"),
    kForwarding,
    kObjective,
    kReconfigure,
    kPeriod};

std::vector<std::vector<int>> read_wiring(const Settings& settings, const OcsLimits& limits) {
  constexpr std::array kColumns = {CsvColumn{"switch", ValueType::whole},
                                   CsvColumn{"device", ValueType::whole}};
  const Place place = settings.place("wiring");
  const std::string file = settings.text("wiring");
  const std::string path = place.line > 0 ? path_beside(*place.source, file) : file;
  const CsvTable table = parse_csv(read_file(path, place), path, kColumns);
  std::vector<std::vector<int>> wiring(static_cast<std::size_t>(limits.switches));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto plane = static_cast<std::size_t>(table.whole(row, "switch", 0, limits.switches - 1));
    wiring[plane].push_back(static_cast<int>(table.whole(row, "device", 0, limits.devices - 1)));
  }
  for (std::vector<int>& here : wiring) {
    std::sort(here.begin(), here.end());
    const auto twice = std::adjacent_find(here.begin(), here.end());
    if (twice != here.end()) {
      settings.refuse("wiring", fmt::format("it wires device {} twice to one switch", *twice));
    }
  }
  return wiring;
}

CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = common_circuits(settings);
  OcsLimits limits;
  limits.devices = context.devices;
  limits.switches = static_cast<int>(settings.whole("switches"));
  limits.ports =
      settings.given("ports") ? static_cast<int>(settings.whole("ports")) : context.devices;
  if (settings.given("wiring")) limits.wiring = read_wiring(settings, limits);
  const std::string wrong = violation(limits, {});
  if (!wrong.empty()) {
    settings.refuse("ports", wrong + "; as many ports, or a wiring, are needed");
  }
  fabric.circuit = {fabric.egress.bits_per_second / limits.switches};
  if (fabric.circuit.bits_per_second == 0) {
    settings.refuse("bandwidth", fmt::format("{} switches divide it to nothing", limits.switches));
  }
  fabric.limits = limits;
  return fabric;
}

}  // namespace

const FabricKind kSipOcsKind = {"sip_ocs",
                                "optical circuit switches with every device on each (SiP-ML)",
                                kParameters, nullptr, circuits};

}  // namespace loom
