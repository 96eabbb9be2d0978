// What the builders of rotating fabrics share.
#pragma once

#include <array>
#include <string_view>

#include "loom/base/settings.h"
#include "loom/fabric/circuits/rotation.h"
#include "loom/fabric/components.h"
#include "loom/fabric/network/network.h"

namespace loom {

inline constexpr Parameter kUplinkBandwidth{
    .name = "bandwidth",
    .type = ValueType::bandwidth,
    .summary = "of a device into the network, all its uplinks together",
    .required = true,
    .min = 1};
inline constexpr Parameter kUplinkLatency{.name = "latency",
                                          .type = ValueType::duration,
                                          .summary = "of a circuit, without the wait for it",
                                          .fallback = "0 ns"};
inline constexpr Parameter kLinksWritten{
    .name = "links",
    .type = ValueType::choice,
    .summary =
        "of valiant: one for every pair, or one into and out of each device, which is the "
        "same where all send alike; auto: pairs for at most 256 devices",
    .fallback = "auto",
    .choices = kRotationLinks};

inline constexpr std::array<std::string_view, 2> kRotationRoutings = {"direct", "valiant"};

constexpr Parameter rotation_routing(std::string_view fallback) {
  return {.name = "routing",
          .type = ValueType::choice,
          .summary = "wait for the pair's own circuit, or divide over all devices, which pass on",
          .fallback = fallback,
          .choices = kRotationRoutings};
}

constexpr Parameter slot_parameter(std::string_view name, std::string_view summary,
                                   std::string_view fallback) {
  return {.name = name,
          .type = ValueType::duration,
          .summary = summary,
          .fallback = fallback,
          .min = 1};
}

constexpr Parameter rotation_switch_time(std::string_view fallback) {
  return {.name = "reconfiguration",
          .type = ValueType::duration,
          .summary = "for which a plane is dark when it changes",
          .fallback = fallback};
}

// Each matching is kept for so many of the times that `slot` names. InputError where nothing of
// that is left.
RotationClock rotation_clock(const Settings& settings, std::string_view slot, int times_slot);

// InputError where the bandwidth is divided to nothing.
AverageCircuit circuit_of(const Settings& settings, const Rotation& rotation,
                          const RotationClock& clock);

// The whole fabric, by direct ways or valiant's. InputError also where it has too many links.
Network rotation_network(const Settings& settings, const Rotation& rotation,
                         const RotationClock& clock, bool valiant);

// Every device has an uplink to each plane, which ends in such a port.
Bill uplink_components(const Settings& settings, int devices, std::int64_t planes,
                       std::string_view transceiver, std::string_view port);

}  // namespace loom
