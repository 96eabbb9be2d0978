// Edges of a topology under construction: circuits not yet assigned to planes, and the free ports.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/fabric/circuits/circuits.h"

namespace loom::fabric {

// A circuit from one device to another, on any plane.
struct Edge {
  int from = 0;
  int to = 0;

  auto operator<=>(const Edge&) const = default;
};

using EdgeList = std::vector<Edge>;

// Number of further circuits that can leave each device, and that can arrive at it.
struct FreePorts {
  std::vector<int> out;
  std::vector<int> in;

  FreePorts(int devices, int degree) : out(static_cast<std::size_t>(devices), degree), in(out) {}

  int at(int device) const;  // free in both directions
  void take(const Edge& edge);
};

// Edges of the ring "+step" over these members.
EdgeList ring_of(std::span<const int> members, int step);

// Adds the edges of max-weight matchings, one matching per round, while ports are free. After each
// round the weight of every matched pair is halved, as in TopoOpt, so that further circuits go
// where they are needed next. If directed, senders are matched with receivers (bipartite matching);
// otherwise devices are matched with devices (general matching), and every matched pair gets a
// circuit in each direction.
struct MatchingRounds {
  bool directed = true;
  int rounds = 0;
};
void add_matchings(const workload::Demand& pairs, const MatchingRounds& how, FreePorts& ports,
                   EdgeList& edges);

// Strongly connected component of each device, numbered from 0.
std::vector<int> strong_components(int devices, std::span<const Edge> edges);

}  // namespace loom::fabric
