#include "loom/fabric/kinds/optical/sip_ocs.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/csv.h"
#include "loom/base/files.h"
#include "loom/fabric/circuits/circuit_parameters.h"

namespace loom::fabric {
namespace sip_ocs {
namespace {

constexpr std::array kInterfaces = {std::string_view("sip"), std::string_view("nic")};
constexpr std::array kPlanes = {std::string_view("ocs"), std::string_view("patch_panel")};

// 20 switches are the authors' setting; commercial switches reconfigure in about 10 ms (SiP-ML,
// section 1).
constexpr std::array kParameters = {
    kEgressBandwidth,
    Parameter{.name = "switches",
              .type = ValueType::integer,
              .summary = "number of optical circuit switches; each device has a port on every "
                         "switch unless wiring is given",
              .fallback = "20",
              .min = 1,
              .max = 10'000},
    Parameter{.name = "ports",
              .type = ValueType::integer,
              .summary = "ports per switch; the number of devices if not given",
              .min = 1,
              .max = 1'000'000},
    Parameter{
        .name = "wiring",
        .type = ValueType::text,
        .summary =
            "CSV file with columns switch and device; every device on every switch if not given"},
    Parameter{.name = "circuit_bandwidth",
              .type = ValueType::bandwidth,
              .summary =
                  "bandwidth of one circuit, which also limits egress; auto: bandwidth divided by "
                  "the ports of the device with the most ports",
              .fallback = "auto",
              .min = 1,
              .automatic = true},
    kCircuitLatency,
    switch_time_parameter("downtime of a circuit while it is reconfigured", "10 ms"),
    kForwarding,
    kProvisioner,
    kReconfigure,
    kPeriod,
    kUnserved,
    Parameter{.name = "interface",
              .type = ValueType::choice,
              .summary =
                  "device interface for the cost model: silicon-photonic chip (sip), or a NIC per "
                  "port (nic)",
              .fallback = "sip",
              .choices = kInterfaces},
    Parameter{.name = "plane",
              .type = ValueType::choice,
              .summary = "switch type for the cost model",
              .fallback = "ocs",
              .choices = kPlanes}};

std::vector<std::vector<int>> read_wiring(const Settings& settings, const OcsLimits& limits) {
  constexpr std::array kColumns = {CsvColumn{"switch", ValueType::integer},
                                   CsvColumn{"device", ValueType::integer}};
  const SourceLocation location = settings.location("wiring");
  const std::string file = settings.text("wiring");
  const std::string path = location.line > 0 ? path_beside(*location.source, file) : file;
  const CsvTable table = parse_csv(read_file(path, location), path, kColumns);
  std::vector<std::vector<int>> wiring(static_cast<std::size_t>(limits.switches));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto plane =
        static_cast<std::size_t>(table.integer(row, "switch", 0, limits.switches - 1));
    const int device = static_cast<int>(table.integer(row, "device", 0, limits.devices - 1));
    std::vector<int>& here = wiring[plane];
    const auto after = std::lower_bound(here.begin(), here.end(), device);
    if (after != here.end() && *after == device) {
      table.refuse(row, "device", "it is already on this switch; one row is needed");
    }
    here.insert(after, device);
  }
  return wiring;
}

// Sets the bandwidth of a circuit: the device with the most ports can send `bandwidth` in total,
// unless circuit_bandwidth limits it to less.
void set_circuit(const Settings& settings, const OcsLimits& limits, CircuitFabric& fabric) {
  const std::vector<int> all = limits.ports_of_devices();
  const int ports = *std::max_element(all.begin(), all.end());
  const Bandwidth max = {fabric.egress.bits_per_second / std::max(ports, 1)};
  if (max.bits_per_second == 0) {
    settings.refuse("bandwidth", fmt::format("divided over {} ports, it is below 1 bps", ports));
  }
  fabric.circuit =
      settings.automatic("circuit_bandwidth") ? max : settings.bandwidth("circuit_bandwidth");
  if (fabric.circuit > max) {
    settings.refuse("circuit_bandwidth",
                    fmt::format("{} circuits together exceed {}; at most {} is possible", ports,
                                exact(fabric.egress), exact(max)));
  }
  if (!settings.automatic("circuit_bandwidth")) {
    fabric.egress = {fabric.circuit.bits_per_second * std::max(ports, 1)};
  }
}

CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = common_circuits(settings);
  OcsLimits limits;
  limits.devices = context.devices;
  limits.switches = static_cast<int>(settings.integer("switches"));
  limits.ports =
      settings.given("ports") ? static_cast<int>(settings.integer("ports")) : context.devices;
  if (settings.given("wiring")) limits.wiring = read_wiring(settings, limits);
  if (const auto no = violation(limits, {})) {
    settings.refuse("ports", no->why + "; one port per device, or a wiring, is needed");
  }
  set_circuit(settings, limits, fabric);
  if (may_find_topologies(fabric, limits)) fabric.finder = rules_for(limits.switches);
  fabric.components.sip = settings.text("interface") == "sip";
  fabric.components.port = settings.text("plane") == "ocs" ? kOcsPort : kPatchPanelPort;
  fabric.limits = limits;
  return fabric;
}

}  // namespace
}  // namespace sip_ocs

const FabricKind kSipOcsKind = {"sip_ocs",
                                "optical circuit switches, each connected to every device (SiP-ML)",
                                sip_ocs::kParameters, nullptr, sip_ocs::circuits};

}  // namespace loom::fabric
