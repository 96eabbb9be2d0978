// What the builders of fabrics share: parameters, what is read from them, first steps.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/fabric/network/graph_routes.h"

namespace loom {

inline constexpr Parameter kBandwidth{.name = "bandwidth",
                                      .type = ValueType::bandwidth,
                                      .summary = "of each link, each way",
                                      .required = true,
                                      .min = 1};
inline constexpr Parameter kLatency{
    .name = "latency", .type = ValueType::duration, .summary = "of each link", .fallback = "0 ns"};
// Where devices meet at an ideal switch only their own links count.
inline constexpr Parameter kDeviceBandwidth{.name = "bandwidth",
                                            .type = ValueType::bandwidth,
                                            .summary = "of a device into the network, each way",
                                            .required = true,
                                            .min = 1};
inline constexpr Parameter kDeviceLatency{.name = "latency",
                                          .type = ValueType::duration,
                                          .summary = "over the network, from device to device",
                                          .fallback = "0 ns"};
inline constexpr Parameter kOversubscription{
    .name = "oversubscription",
    .type = ValueType::real,
    .summary = "how much less capacity leads up from the lowest switches than comes from below",
    .fallback = "1"};

// Servers with a network of their own inside.
inline constexpr Parameter kGpusPerServer{.name = "gpus_per_server",
                                          .type = ValueType::integer,
                                          .summary = "devices in a server",
                                          .fallback = "8",
                                          .min = 1};
inline constexpr Parameter kInsideBandwidth{.name = "inside_bandwidth",
                                            .type = ValueType::bandwidth,
                                            .summary = "of a device inside its server, each way",
                                            .required = true,
                                            .min = 1};
inline constexpr Parameter kInsideLatency{.name = "inside_latency",
                                          .type = ValueType::duration,
                                          .summary = "between two devices of a server",
                                          .fallback = "0 ns"};

// Direct links: `bandwidth` of each, or `egress` of a device, divided over its links.
inline constexpr Parameter kLinkBandwidth{.name = "bandwidth",
                                          .type = ValueType::bandwidth,
                                          .summary = "of each link, each way (or give egress)",
                                          .min = 1};
inline constexpr Parameter kEgress{
    .name = "egress",
    .type = ValueType::bandwidth,
    .summary = "of all links that leave a device together (or give bandwidth)",
    .min = 1};

inline constexpr std::array<std::string_view, 3> kRoutings = {"shortest", "ecmp", "split"};

constexpr Parameter routing_parameter(std::string_view fallback) {
  return {.name = "routing",
          .type = ValueType::choice,
          .summary = "one shortest way, one of them by hash, or all of them evenly",
          .fallback = fallback,
          .choices = kRoutings};
}

// The most links that a fabric may have.
inline constexpr std::int64_t kMaxLinks = 20'000'000;

// No trunk may carry more: 1000 Pbps.
inline constexpr std::int64_t kLargestTrunk = 1'000'000'000'000'000'000;

Routing routing(const Settings& settings);

// bandwidth · count / (parts · oversubscription), rounded down, at least 1 bps. The
// oversubscription counts to a millionth. Refused where it passes kLargestTrunk.
Bandwidth oversubscribed(const Settings& settings, std::int64_t count, std::int64_t uplinks);

// The bandwidth of so many links together; refused where it passes kLargestTrunk.
Bandwidth trunk(const Settings& settings, Bandwidth member, std::int64_t members);

// The bandwidth of each of a device's `links`, from `bandwidth` or `egress` (rounded down).
Bandwidth direct_bandwidth(const Settings& settings, std::int64_t links);

// InputError where a fabric would have too many links.
void check_links(const Settings& settings, std::int64_t links);

// The devices, and nothing yet between them.
Network bare_network(int devices);

// Network::levels where so many devices, groups of them, groups of groups … are near each other, as
// far as the groups come out whole.
std::vector<int> levels_of(int devices, std::initializer_list<std::int64_t> sizes);

}  // namespace loom
