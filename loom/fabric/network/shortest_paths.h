// The shortest ways for one message over a graph, and a route chosen among them.
//
// A device that hangs on one switch is as far from everywhere as that switch, and the last link: so
// distances are needed to the switch only (its anchor), which the devices beside it share.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/fabric/network/graph.h"
#include "loom/fabric/network/network.h"

namespace loom {

// The node that all ways to the device end with, and what is left from there. It is the device
// itself, with nothing left, unless all its links come from one switch.
struct Anchor {
  int node = 0;
  int length = 0;  // kUnreached where no link is left
  Duration latency{0};
};

Anchor anchor_of(const Graph& graph, int destination, const std::vector<bool>& down);

class ShortestPaths {
 public:
  // `distances` are to the anchor's node; without their latencies quickest() cannot be asked.
  ShortestPaths(const Graph& graph, const Distances& distances, const Anchor& anchor, int source,
                int destination, const std::vector<bool>& down);

  bool any() const { return start_.length != kUnreached; }

  // One of these fills the route where there is any way.
  void quickest(Route& route) const;  // the least latency, then the lowest link numbers
  void hashed(std::uint64_t message, Route& route) const;
  void split(Route& route) const;

 private:
  struct Distance {
    int length = kUnreached;
    Duration latency = kForever;
  };
  // What has come to a node: how much of the message, and the longest it took.
  struct Arrived {
    std::uint32_t share = 0;
    Duration latency{0};
  };
  class Spread;

  Distance distance(int node) const;
  Distance start() const;
  bool usable(int link) const;  // up, and its end may be entered
  bool onward(int link) const;  // a shortest way from its start goes over it
  std::int64_t members_onward(int node) const;
  int quickest_link(int node) const;
  int hashed_link(int node, std::uint64_t message) const;
  void divide(int node, Arrived arrived, Spread& spread, Route& route) const;
  void follow(int link, int& node, Route& route) const;

  const Graph& graph_;
  const Distances& distances_;
  const Anchor& anchor_;
  int source_;
  int destination_;
  const std::vector<bool>& down_;
  Distance start_;  // of the source
};

}  // namespace loom
