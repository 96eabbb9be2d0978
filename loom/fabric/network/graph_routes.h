// Shortest-path routing over any graph: one fixed shortest path, one shortest path chosen by hash
// (ECMP), or a split over all shortest paths.
//
// Paths are compared by their number of links, or the sum of link lengths. A route is a pure
// function of the query, the network and the seed; the cache of distances to recent destinations
// (up to 64 MB) only saves time. The first query for a destination costs one pass over all links. A
// link that goes down changes only the routes that use it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "loom/fabric/network/network.h"

namespace loom::fabric {

enum class Routing {
  shortest,  // one path: the shortest, then lowest latency, then lowest link numbers
  ecmp,      // one of the shortest paths, chosen hop by hop by a hash of the message
  split,     // all shortest paths: every node splits its share evenly over its next links
};

// Without `devices_forward`, paths pass through switches only. `lengths` holds the length of each
// link (1 to 3; empty: 1 each).
std::shared_ptr<const Router> graph_router(const Network& network, Routing routing,
                                           std::uint64_t seed, bool devices_forward,
                                           std::span<const int> lengths = {});

// Hash that determines the ECMP choices for a message.
std::uint64_t message_hash(std::uint64_t seed, std::uint64_t key, DeviceId source,
                           DeviceId destination);

// True if no link of the route is down.
bool usable(const Route& route, const std::vector<bool>& down);

}  // namespace loom::fabric
