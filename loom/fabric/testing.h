// Test helpers: fabrics from a line of YAML, and a simple checker for any route.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loom/base/error.h"
#include "loom/base/testing.h"
#include "loom/base/tree.h"
#include "loom/fabric/fabric.h"

namespace loom::fabric {

// `text` is the content of a YAML map: "kind: torus, shape: 4x4, bandwidth: 1 Gbps".
inline Network fabric_of(const std::string& text, int devices, std::uint64_t seed = 1) {
  return build_network(read_fabric(parse_yaml("{" + text + "}", "test.yaml")), {devices, seed});
}

inline std::string message_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

inline std::string refusal_of(const std::string& text, int devices) {
  return message_of([&] { fabric_of(text, devices); });
}

inline Route route_of(const Network& network, int source, int destination, std::uint64_t key = 0,
                      const std::vector<bool>& down = {}) {
  Route route;
  EXPECT_TRUE(network.router->find(DeviceId(source), DeviceId(destination), key, down, route))
      << source << " to " << destination;
  return route;
}

inline std::vector<std::string> names_of(const Network& network, const Route& route) {
  std::vector<std::string> names;
  for (const Hop& hop : route.hops) names.push_back(network.link_name(hop.link));
  return names;
}

// Returns the first defect of a route. In a sound route, every node forwards what it receives, no
// link occurs twice, the entire message leaves the source and reaches the destination, the latency
// is that of the slowest path, and each hop starts at a node that an earlier hop has reached.
inline std::optional<Infeasible> flaw_of(const Network& network, const Route& route, int source,
                                         int destination) {
  std::map<int, std::int64_t> held = {{source, kWhole}};
  std::map<int, Duration> reached = {{source, Duration(0)}};
  std::map<int, int> uses;
  for (const Hop& hop : route.hops) {
    const Link& link = network.links[hop.link];
    if (hop.share == 0) return Infeasible{"a hop with share 0"};
    if (++uses[hop.link] > 1) return Infeasible{"a link used twice"};
    if (reached.count(link.from) == 0) {
      return Infeasible{"a hop from a node the message has not reached"};
    }
    held[link.from] -= hop.share;
    held[link.to] += hop.share;
    reached[link.to] = std::max(reached[link.to], reached[link.from] + link.latency);
  }
  for (const auto& [node, share] : held) {
    if (share != (node == destination ? kWhole : 0)) return Infeasible{"a share lost at a node"};
  }
  if (route.latency != reached[destination]) return Infeasible{"wrong latency"};
  return std::nullopt;
}

// Checks the routes between all pairs of devices.
inline void expect_sound_routes(const Network& network) {
  for (int source = 0; source < network.devices; ++source) {
    for (int destination = 0; destination < network.devices; ++destination) {
      if (source == destination) continue;
      const Route route = route_of(network, source, destination);
      ASSERT_EQ(why(flaw_of(network, route, source, destination)), "no objection")
          << source << " to " << destination;
    }
  }
}

// Expects an equal link in the reverse direction for every link; `latency_too` compares latencies
// as well.
inline void expect_symmetric(const Network& network, bool latency_too = true) {
  std::map<std::tuple<int, int, std::int64_t, std::int64_t, int>, int> balance;
  for (const Link& link : network.links) {
    const std::int64_t latency = latency_too ? link.latency.count() : 0;
    ++balance[{link.from, link.to, link.bandwidth.bits_per_second, latency, link.members}];
    --balance[{link.to, link.from, link.bandwidth.bits_per_second, latency, link.members}];
  }
  for (const auto& [link, count] : balance)
    ASSERT_EQ(count, 0) << "link from " << std::get<0>(link);
}

}  // namespace loom::fabric
