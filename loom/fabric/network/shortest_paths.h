// Shortest paths of one message through a graph, and the route chosen among them.
//
// The distance to a device attached to one switch is the distance to that switch (the anchor of the
// device) plus the last link. So distances are computed only to the anchor, once for all its
// devices.
#pragma once

#include <cstdint>
#include <vector>

#include "loom/fabric/network/graph.h"
#include "loom/fabric/network/network.h"

namespace loom::fabric {

// The last switch on all paths to a device, and the distance from there to the device. If the links
// into the device come from several nodes, or devices forward, the anchor is the device itself, at
// distance 0.
struct Anchor {
  NodeId node;
  int length = 0;  // kUnreached if no link is up
  Duration latency{0};
};

Anchor anchor_of(const Graph& graph, DeviceId destination, const std::vector<bool>& down);

class ShortestPaths {
 public:
  // `distances` holds the distances to the node of the anchor; quickest() also needs the latencies.
  ShortestPaths(const Graph& graph, const Distances& distances, const Anchor& anchor,
                DeviceId source, DeviceId destination, const std::vector<bool>& down);

  bool any() const { return start_.length != kUnreached; }

  // These functions fill in the route and require any().
  void quickest(Route& route) const;  // lowest latency, then lowest link numbers
  void hashed(std::uint64_t message, Route& route) const;
  void split(Route& route) const;

 private:
  struct Distance {
    int length = kUnreached;
    Duration latency = kForever;
  };
  // Share of the message that has arrived at a node, and its highest latency so far.
  struct Arrived {
    std::uint32_t share = 0;
    Duration latency{0};
  };
  class Spread;

  Distance distance(NodeId node) const;
  Distance start() const;
  bool usable(LinkId link) const;  // up, and leads to a forwarding node or the destination
  bool onward(LinkId link) const;  // on a shortest path from its first node
  std::int64_t members_onward(NodeId node) const;
  LinkId quickest_link(NodeId node) const;
  LinkId hashed_link(NodeId node, std::uint64_t message) const;
  void divide(NodeId node, Arrived arrived, Spread& spread, Route& route) const;
  void follow(LinkId link, NodeId& node, Route& route) const;

  const Graph& graph_;
  const Distances& distances_;
  const Anchor& anchor_;
  DeviceId source_;
  DeviceId destination_;
  const std::vector<bool>& down_;
  Distance start_;  // from the source
};

}  // namespace loom::fabric
