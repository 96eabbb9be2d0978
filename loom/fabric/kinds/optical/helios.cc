#include "loom/fabric/kinds/optical/helios.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/fabric/circuits/circuit_parameters.h"
#include "loom/fabric/kinds/electrical/fat_tree.h"

namespace loom {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

// One optical uplink is what a rack has in c-Through. Such switches take about 10 ms (SiP-ML,
// section 1), and the papers look for the largest matching of what waits. That a tenth is
// electrical is a choice of this program.
constexpr std::array kParameters = {
    kEgressBandwidth,
    Parameter{.name = "packet_share",
              .type = ValueType::real,
              .summary = "of the bandwidth that leads to the packet switch; the rest to circuits",
              .fallback = "0.1"},
    Parameter{.name = "switches",
              .type = ValueType::integer,
              .summary = "optical circuit switches, a port of each device on each",
              .fallback = "1",
              .min = 1,
              .max = 10'000},
    Parameter{.name = "threshold",
              .type = ValueType::size,
              .summary = "that a pair has at least to send to get a circuit; auto: what the "
                         "packet switch carries in the time of a reconfiguration",
              .fallback = "auto",
              .automatic = true},
    kCircuitLatency,
    Parameter{.name = "packet_latency",
              .type = ValueType::duration,
              .summary = "over the packet switch, from device to device; as latency if not given"},
    switch_time_parameter("for which circuits that change are dark", "10 ms"),
    Parameter{.name = "objective",
              .type = ValueType::choice,
              .summary = kObjective.summary,
              .fallback = "max_weight",
              .choices = kObjectiveNames},
    kReconfigure,
    kPeriod};

// Counts to a millionth, rounded down.
Bandwidth packet_bandwidth(const Settings& settings) {
  const double share = settings.real("packet_share");
  const std::int64_t millionths = share < 1 ? std::llround(share * kMillion) : kMillion;
  const Int128 all = settings.bandwidth("bandwidth").bits_per_second;
  const auto rate = static_cast<std::int64_t>(all * millionths / kMillion);
  if (millionths >= kMillion || rate == 0) {
    settings.refuse("packet_share",
                    "more than 0 and less than 1, for both kinds of switch, is "
                    "needed");
  }
  return {rate};
}

// In bytes, rounded down.
Bytes sent_in(Bandwidth bandwidth, Duration time) {
  constexpr Int128 kBitPicoseconds = Int128{8} * 1'000'000'000'000;
  return {static_cast<std::int64_t>(std::min<Int128>(
      Int128{bandwidth.bits_per_second} * time.count() / kBitPicoseconds, kLargestSize.count))};
}

CircuitFabric circuits(const Settings& settings, const FabricContext& context) {
  CircuitFabric fabric = unforwarded_circuits(settings);
  OcsLimits limits;
  limits.devices = limits.ports = context.devices;
  limits.switches = static_cast<int>(settings.integer("switches"));
  PacketSwitch packets;
  packets.bandwidth = packet_bandwidth(settings);
  packets.latency =
      settings.given("packet_latency") ? settings.duration("packet_latency") : fabric.latency;
  packets.threshold = settings.automatic("threshold")
                          ? sent_in(packets.bandwidth, fabric.switch_time)
                          : settings.size("threshold");
  fabric.circuit = {(fabric.egress.bits_per_second - packets.bandwidth.bits_per_second) /
                    limits.switches};
  if (fabric.circuit.bits_per_second == 0) {
    settings.refuse("bandwidth", fmt::format("{} ports divide it to nothing", limits.switches));
  }
  fabric.limits = limits;
  fabric.packets = packets;
  return fabric;
}

// A packet network, and the circuit switches beside it.
Bill components(const Settings& settings, const FabricContext& context) {
  const CircuitFabric fabric = circuits(settings, context);
  Bill components = full_bisection_components(context.devices, fabric.packets->bandwidth);
  add_plane_links(components, kTransceiver, kOcsPort, fabric.circuit,
                  std::int64_t{context.devices} * std::get<OcsLimits>(fabric.limits).switches);
  return components;
}

}  // namespace

const FabricKind kHeliosKind = {
    "helios",    "a packet switch for all, slow circuits for pairs with much to send (Helios)",
    kParameters, nullptr,
    circuits,    components};

}  // namespace loom
