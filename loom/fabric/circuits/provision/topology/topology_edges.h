// Circuits without planes yet: pairs of devices, and the ports that are left at each.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "loom/fabric/circuits/circuits.h"

namespace loom {

// A circuit from one device to another, wherever it will be patched.
struct Edge {
  int from = 0;
  int to = 0;

  auto operator<=>(const Edge&) const = default;
};

using EdgeList = std::vector<Edge>;

// How many circuits may still leave each device, and arrive.
struct FreePorts {
  std::vector<int> out;
  std::vector<int> in;

  FreePorts(int devices, int degree) : out(static_cast<std::size_t>(devices), degree), in(out) {}

  int at(int device) const;  // both ways
  void take(const Edge& edge);
};

// The ring "+step" over these members.
EdgeList ring_of(std::span<const int> members, int step);

// Rounds of matchings of most weight, at most `rounds`, while ports are free: a matched pair's
// weight is halved, as the paper does, so that further circuits go where they are needed next.
// Directed, a round is a bipartite matching of senders with receivers; else a general one, and
// every pair of it gets a circuit each way.
struct MatchingRounds {
  bool directed = true;
  int rounds = 0;
};
void add_matchings(const Demand& pairs, const MatchingRounds& how, FreePorts& ports,
                   EdgeList& edges);

// By device: the number of its part; within a part everybody reaches everybody.
std::vector<int> strong_components(int devices, std::span<const Edge> edges);

}  // namespace loom
