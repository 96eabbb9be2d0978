// A network as a router sees it: what leads where, and how far it is to a node.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "loom/fabric/network/network.h"

namespace loom {

// The longest that a link may count for.
inline constexpr int kLongestLink = 3;

struct Graph {
  struct Edge {
    int from = 0;
    int to = 0;
    int members = 1;
    int length = 1;  // what the link counts for where ways are compared
    Duration latency{0};
  };

  int devices = 0;
  bool devices_forward = false;  // a way may lead through a device that is not its end
  std::vector<Edge> links;       // numbered as in the network
  std::vector<int> first_out;    // of node v: out[first_out[v]] … out[first_out[v + 1] - 1]
  std::vector<int> out;          // links that leave, by number
  std::vector<int> first_in;
  std::vector<int> in;  // links that arrive, by number

  int nodes() const { return static_cast<int>(first_out.size()) - 1; }
  bool forwards(int node) const { return devices_forward || node >= devices; }
  std::span<const int> leaving(int node) const {
    return {out.data() + first_out[node], out.data() + first_out[node + 1]};
  }
  std::span<const int> arriving(int node) const {
    return {in.data() + first_in[node], in.data() + first_in[node + 1]};
  }
};

// `lengths` of the links, from 1 to kLongestLink; empty: 1 each.
Graph graph_of(const Network& network, bool devices_forward, std::span<const int> lengths = {});

inline constexpr int kUnreached = std::numeric_limits<int>::max();

// From the nodes that forward to one target along the shortest ways.
struct Distances {
  int first = 0;            // node v stands at v - first; devices that do not forward lack
  std::vector<int> length;  // kUnreached where there is no way
  std::vector<Duration>
      latency;  // the least among the shortest ways; kForever where it is too much
};

// One pass over the links. The target may be any node; `down` as in Router::find.
Distances distances_to(const Graph& graph, int target, const std::vector<bool>& down);

// a + b, or kForever where the clock ends.
inline Duration capped_sum(Duration a, Duration b) { return a > kForever - b ? kForever : a + b; }

}  // namespace loom
