// A network in the form that routers need: adjacency lists, and distances to a target.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "loom/fabric/network/network.h"

namespace loom::fabric {

// Maximum length of a link.
inline constexpr int kLongestLink = 3;

struct Graph {
  struct Edge {
    NodeId from;
    NodeId to;
    int members = 1;
    int length = 1;  // weight of the link when paths are compared
    Duration latency{0};
  };

  int devices = 0;
  bool devices_forward = false;  // paths may pass through devices
  std::vector<Edge> links;       // numbered as in the network
  std::vector<int> first_out;    // node v: out[first_out[v]] … out[first_out[v + 1] - 1]
  std::vector<LinkId> out;       // outgoing links of each node, by number
  std::vector<int> first_in;
  std::vector<LinkId> in;  // incoming links of each node, by number

  int nodes() const { return static_cast<int>(first_out.size()) - 1; }
  bool forwards(NodeId node) const { return devices_forward || node >= devices; }
  std::span<const LinkId> leaving(NodeId node) const {
    return {out.data() + first_out[node], out.data() + first_out[node + 1]};
  }
  std::span<const LinkId> arriving(NodeId node) const {
    return {in.data() + first_in[node], in.data() + first_in[node + 1]};
  }
};

// `lengths` holds the length of each link, from 1 to kLongestLink; empty: 1 each.
Graph graph_of(const Network& network, bool devices_forward, std::span<const int> lengths = {});

inline constexpr int kUnreached = std::numeric_limits<int>::max();

// Distances from all forwarding nodes to one target along shortest paths.
struct Distances {
  int first = 0;                  // node v has index v - first; non-forwarding devices are left out
  std::vector<int> length;        // kUnreached if there is no path
  std::vector<Duration> latency;  // lowest among the shortest paths; kForever on overflow
};

// Computes the distances to a target, which may be any node, in one pass over the links; `down` is
// as in Router::find.
Distances distances_to(const Graph& graph, NodeId target, const std::vector<bool>& down);

// a + b, or kForever on overflow.
inline Duration capped_sum(Duration a, Duration b) { return a > kForever - b ? kForever : a + b; }

}  // namespace loom::fabric
