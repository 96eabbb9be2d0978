// Parameters and functions shared by the fabric builders.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/fabric/network/graph_routes.h"

namespace loom::fabric {

inline constexpr Parameter kBandwidth{.name = "bandwidth",
                                      .type = ValueType::bandwidth,
                                      .summary = "bandwidth of each link, per direction",
                                      .required = true,
                                      .min = 1};
inline constexpr Parameter kLatency{.name = "latency",
                                    .type = ValueType::duration,
                                    .summary = "latency of each link",
                                    .fallback = "0 ns"};
// Parameters of fabrics with an ideal core, in which only the devices' own links limit bandwidth.
inline constexpr Parameter kDeviceBandwidth{
    .name = "bandwidth",
    .type = ValueType::bandwidth,
    .summary = "bandwidth between one device and the network, per direction",
    .required = true,
    .min = 1};
inline constexpr Parameter kDeviceLatency{
    .name = "latency",
    .type = ValueType::duration,
    .summary = "latency between two devices across the network",
    .fallback = "0 ns"};
inline constexpr Parameter kOversubscription{
    .name = "oversubscription",
    .type = ValueType::real,
    .summary = "ratio of downlink to uplink capacity at the lowest switches",
    .fallback = "1"};

// Parameters of servers with an internal network.
inline constexpr Parameter kGpusPerServer{.name = "gpus_per_server",
                                          .type = ValueType::integer,
                                          .summary = "devices per server",
                                          .fallback = "8",
                                          .min = 1};
inline constexpr Parameter kInsideBandwidth{
    .name = "inside_bandwidth",
    .type = ValueType::bandwidth,
    .summary = "bandwidth of one device inside its server, per direction",
    .required = true,
    .min = 1};
inline constexpr Parameter kInsideLatency{
    .name = "inside_latency",
    .type = ValueType::duration,
    .summary = "latency between two devices in the same server",
    .fallback = "0 ns"};

// Parameters of fabrics with direct links: either the bandwidth of each link, or the egress
// bandwidth of a device, which is divided over its links.
inline constexpr Parameter kLinkBandwidth{
    .name = "bandwidth",
    .type = ValueType::bandwidth,
    .summary = "bandwidth of each link, per direction (or give egress)",
    .min = 1};
inline constexpr Parameter kEgress{
    .name = "egress",
    .type = ValueType::bandwidth,
    .summary = "total bandwidth of all links leaving one device (or give bandwidth)",
    .min = 1};

inline constexpr std::array<std::string_view, 3> kRoutings = {"shortest", "ecmp", "split"};

constexpr Parameter routing_parameter(std::string_view fallback) {
  return {.name = "routing",
          .type = ValueType::choice,
          .summary =
              "routing over shortest paths: one fixed path, one chosen by hash, or an even split "
              "over all",
          .fallback = fallback,
          .choices = kRoutings};
}

// Maximum number of links in a fabric.
inline constexpr std::int64_t kMaxLinks = 20'000'000;

// Maximum bandwidth of a trunk: 1000 Pbps.
inline constexpr std::int64_t kLargestTrunk = 1'000'000'000'000'000'000;

Routing routing(const Settings& settings);

// bandwidth · count / (uplinks · oversubscription), rounded down, at least 1 bps. The
// oversubscription is rounded to a millionth. Throws InputError if the result exceeds
// kLargestTrunk.
Bandwidth oversubscribed(const Settings& settings, std::int64_t count, std::int64_t uplinks);

// Total bandwidth of `members` links. Throws InputError if it exceeds kLargestTrunk.
Bandwidth trunk(const Settings& settings, Bandwidth member, std::int64_t members);

// Bandwidth of each of a device's `links`, from `bandwidth` or from `egress` (rounded down).
Bandwidth direct_bandwidth(const Settings& settings, std::int64_t links);

// Throws InputError if a fabric would have more than kMaxLinks links.
void check_links(const Settings& settings, std::int64_t links);

// A network of devices without links.
Network bare_network(int devices);

// Network::levels for nested groups of these sizes, from the inside out. Stops at the first size
// into which the remaining groups cannot be divided evenly. Empty if fewer than two levels result.
std::vector<int> levels_of(int devices, std::initializer_list<std::int64_t> sizes);

}  // namespace loom::fabric
