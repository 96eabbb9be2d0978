// Routes over any graph: the shortest ways, and how messages are spread over them.
//
// Ways are compared by the number of links. A route is a pure function of the question, the network
// and the seed: what is remembered between questions (the distances to recent destinations, within
// 64 MB) saves time and changes nothing. A first question about a destination costs a pass over all
// links. Where links are down, a way that none of them touches stays as it was.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "loom/fabric/network/network.h"

namespace loom {

enum class Routing {
  shortest,  // one way; among equally short ones the least latency, then the lowest link numbers
  ecmp,      // one of the shortest ways, chosen hop by hop by a hash of the message
  split,     // all shortest ways: every node divides what it gets evenly over its links onward
};

// Without `devices_forward` a way may lead through switches only. `lengths` says what the links
// count for (1 to 3; empty: 1 each).
std::shared_ptr<const Router> graph_router(const Network& network, Routing routing,
                                           std::uint64_t seed, bool devices_forward,
                                           std::span<const int> lengths = {});

// What the choices for a message hang on.
std::uint64_t message_hash(std::uint64_t seed, std::uint64_t key, int source, int destination);

// No link of the route is down.
bool usable(const Route& route, const std::vector<bool>& down);

}  // namespace loom
