#include "loom/fabric/kinds/optical/helios.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "loom/fabric/circuits/circuit_parameters.h"
#include "loom/fabric/kinds/electrical/packet_switches.h"

namespace loom::fabric {
namespace helios {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

// c-Through gives each rack one optical uplink. Optical circuit switches reconfigure in about 10 ms
// (SiP-ML, section 1), and both papers compute a maximum-weight matching of the queued demand. The
// packet share of a tenth has no source.
constexpr std::array kParameters = {
    kEgressBandwidth,
    Parameter{
        .name = "packet_share",
        .type = ValueType::real,
        .summary = "fraction of the bandwidth for the packet switch; the rest is for circuits",
        .fallback = "0.1"},
    Parameter{.name = "switches",
              .type = ValueType::integer,
              .summary = "number of optical circuit switches; each device has one port on each",
              .fallback = "1",
              .min = 1,
              .max = 10'000},
    Parameter{.name = "threshold",
              .type = ValueType::size,
              .summary = "minimum demand of a pair to get a circuit; auto: what the packet switch "
                         "carries during a reconfiguration",
              .fallback = "auto",
              .automatic = true},
    kCircuitLatency,
    Parameter{.name = "packet_latency",
              .type = ValueType::duration,
              .summary =
                  "latency between two devices over the packet switch; same as latency if not "
                  "given"},
    switch_time_parameter("downtime of a circuit while it is reconfigured", "10 ms"),
    Parameter{.name = "provisioner",
              .type = ValueType::choice,
              .summary = "rule that chooses circuits: best rate for the worst-served pair, or most "
                         "demand served",
              .fallback = "max_weight",
              .choices = kProvisionerNames},
    kReconfigure,
    kPeriod};

// The share is rounded to a millionth, the bandwidth rounded down.
Bandwidth packet_bandwidth(const Settings& settings) {
  const double share = settings.real("packet_share");
  const std::int64_t millionths = share < 1 ? std::llround(share * kMillion) : kMillion;
  const Int128 all = settings.bandwidth("bandwidth").bits_per_second;
  const auto rate = static_cast<std::int64_t>(all * millionths / kMillion);
  if (millionths >= kMillion || rate == 0) {
    settings.refuse("packet_share",
                    "a fraction above 0 and below 1 is needed, so that both kinds of switch get "
                    "bandwidth");
  }
  return {rate};
}

// Bytes sent in this time, rounded down.
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
    settings.refuse("bandwidth",
                    fmt::format("divided over {} ports, it is below 1 bps", limits.switches));
  }
  fabric.limits = limits;
  fabric.packets = packets;
  return fabric;
}

// The bill of a packet network and of the circuit switches beside it.
Bill components(const Settings& settings, const FabricContext& context) {
  const CircuitFabric fabric = circuits(settings, context);
  Bill components =
      ideal_switch_components({context.devices}, static_cast<int>(default_radix(context.devices)),
                              fabric.packets->bandwidth, context.floor);
  add_plane_links(components, kTransceiver, kOcsPort, fabric.circuit,
                  std::int64_t{context.devices} * std::get<OcsLimits>(fabric.limits).switches);
  return components;
}

}  // namespace
}  // namespace helios

const FabricKind kHeliosKind = {
    "helios",
    "a packet switch for all traffic, slow circuits for large demands (Helios)",
    helios::kParameters,
    nullptr,
    helios::circuits,
    helios::components};

}  // namespace loom::fabric
