// Parameters and settings shared by the builders of rotating fabrics.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/fabric/circuits/rotation.h"
#include "loom/fabric/components.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

inline constexpr Parameter kUplinkBandwidth{
    .name = "bandwidth",
    .type = ValueType::bandwidth,
    .summary = "total egress bandwidth of one device, summed over its uplinks",
    .required = true,
    .min = 1};
inline constexpr Parameter kUplinkLatency{
    .name = "latency",
    .type = ValueType::duration,
    .summary = "latency of one circuit, excluding the wait until it is up",
    .fallback = "0 ns"};
inline constexpr Parameter kLinksWritten{
    .name = "links",
    .type = ValueType::choice,
    .summary =
        "links that model valiant routing: one per pair, or one into and one out of each device, "
        "which is equivalent if all devices send the same amount; auto: pairs for at most 256 "
        "devices",
    .fallback = "auto",
    .choices = kRotationLinks};

inline constexpr std::array<std::string_view, 3> kRotationRoutings = {"auto", "direct", "valiant"};

inline constexpr Parameter kRotationRouting{
    .name = "routing",
    .type = ValueType::choice,
    .summary =
        "path of a message: its own circuit (direct), or two hops over all devices "
        "(valiant); auto: whichever is faster for the work",
    .fallback = "auto",
    .choices = kRotationRoutings};

// The routing to build: that of the settings, or the one that `routing: auto` stands for. Where
// nothing chooses, auto is valiant, which serves any traffic with half of the bandwidth.
std::string rotation_routing(const Settings& settings, std::string_view chosen);

// The routings that auto may stand for: valiant, and direct if the network can have a link for
// every pair.
std::vector<std::string_view> rotation_routings(const Settings& settings, int devices);

constexpr Parameter slot_parameter(std::string_view name, std::string_view summary,
                                   std::string_view fallback) {
  return {.name = name,
          .type = ValueType::duration,
          .summary = summary,
          .fallback = fallback,
          .min = 1};
}

constexpr Parameter rotation_switch_time(std::string_view fallback) {
  return {.name = "switch_time",
          .type = ValueType::duration,
          .summary = "time during which a changing plane carries no traffic",
          .fallback = fallback};
}

// The timing in which each matching is kept for `times_slot` times the duration of the parameter
// named `slot`. Throws InputError if this duration does not exceed the switch time.
RotationClock rotation_clock(const Settings& settings, std::string_view slot, int times_slot);

// A circuit averaged over the cycle. Throws InputError if its bandwidth rounds down to 0.
AverageCircuit circuit_of(const Settings& settings, const Rotation& rotation,
                          const RotationClock& clock);

// The network of the fabric, with direct or valiant routing. Throws InputError if the bandwidth of
// a circuit rounds down to 0 or the network has too many links.
Network rotation_network(const Settings& settings, const Rotation& rotation,
                         const RotationClock& clock, bool valiant);

// Bill of materials of the uplinks: one per device and plane, with this transceiver at the device
// and this port at the plane.
Bill uplink_components(const Settings& settings, int devices, std::int64_t planes,
                       std::string_view transceiver, std::string_view port);

}  // namespace loom::fabric
