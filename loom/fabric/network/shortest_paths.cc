#include "loom/fabric/network/shortest_paths.h"

#include <algorithm>
#include <map>
#include <utility>

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::fabric {

// Nodes that hold a share of the message, farthest from the destination first, so that a node is
// taken only after its full share has arrived.
class ShortestPaths::Spread {
 public:
  explicit Spread(const ShortestPaths& paths) : paths_(paths) {}

  Arrived& at(NodeId node) { return arrived_[{-paths_.distance(node).length, node}]; }
  std::pair<NodeId, Arrived> take_farthest() {
    const auto first = arrived_.extract(arrived_.begin());
    return {first.key().second, first.mapped()};
  }

 private:
  const ShortestPaths& paths_;
  std::map<std::pair<int, NodeId>, Arrived> arrived_;
};

Anchor anchor_of(const Graph& graph, DeviceId destination, const std::vector<bool>& down) {
  const auto links = graph.arriving(destination);
  if (graph.devices_forward || links.empty()) return {destination, 0, Duration(0)};
  Anchor anchor{graph.links[links[0]].from, kUnreached, kForever};
  for (const LinkId number : links) {
    const Graph::Edge& link = graph.links[number];
    const bool same = link.from == anchor.node && graph.forwards(link.from);
    if (!same) return {destination, 0, Duration(0)};
    if (!down.empty() && down[number]) continue;
    if (link.length < anchor.length) anchor.latency = kForever;
    if (link.length <= anchor.length) anchor.latency = std::min(anchor.latency, link.latency);
    anchor.length = std::min(anchor.length, link.length);
  }
  return anchor;
}

ShortestPaths::ShortestPaths(const Graph& graph, const Distances& distances, const Anchor& anchor,
                             DeviceId source, DeviceId destination, const std::vector<bool>& down)
    : graph_(graph),
      distances_(distances),
      anchor_(anchor),
      source_(source),
      destination_(destination),
      down_(down),
      start_(start()) {}

ShortestPaths::Distance ShortestPaths::distance(NodeId node) const {
  if (node == destination_) return {0, Duration(0)};
  if (!graph_.forwards(node)) return start_;
  const int length = distances_.length[node - distances_.first];
  if (length == kUnreached || anchor_.length == kUnreached) return {};
  const Duration latency =
      distances_.latency.empty() ? kForever : distances_.latency[node - distances_.first];
  return {length + anchor_.length, capped_sum(latency, anchor_.latency)};
}

ShortestPaths::Distance ShortestPaths::start() const {
  if (graph_.forwards(source_)) return distance(source_);
  Distance best;
  for (const LinkId number : graph_.leaving(source_)) {
    if (!usable(number)) continue;
    const Graph::Edge& link = graph_.links[number];
    const Distance rest = distance(link.to);
    if (rest.length == kUnreached || rest.length + link.length > best.length) continue;
    const Duration latency = capped_sum(rest.latency, link.latency);
    const bool shorter = rest.length + link.length < best.length;
    best = {rest.length + link.length, shorter ? latency : std::min(latency, best.latency)};
  }
  return best;
}

bool ShortestPaths::usable(LinkId link) const {
  const NodeId to = graph_.links[link].to;
  return (down_.empty() || !down_[link]) && (to == destination_ || graph_.forwards(to));
}

bool ShortestPaths::onward(LinkId link) const {
  if (!usable(link)) return false;
  const Graph::Edge& it = graph_.links[link];
  const int rest = distance(it.to).length;
  return rest != kUnreached && rest + it.length == distance(it.from).length;
}

std::int64_t ShortestPaths::members_onward(NodeId node) const {
  std::int64_t members = 0;
  for (const LinkId link : graph_.leaving(node)) {
    if (onward(link)) members += graph_.links[link].members;
  }
  LOOM_CHECK(members > 0, "a node with a finite distance has a next link");
  return members;
}

LinkId ShortestPaths::quickest_link(NodeId node) const {
  const Duration min_latency = distance(node).latency;
  for (const LinkId link : graph_.leaving(node)) {
    if (!onward(link)) continue;
    const Graph::Edge& it = graph_.links[link];
    if (capped_sum(it.latency, distance(it.to).latency) == min_latency) return link;
  }
  LOOM_CHECK(false, "a node with a finite distance has a next link");
  return LinkId(-1);
}

// Chooses the next link by hash; the probability of a trunk is proportional to its members.
LinkId ShortestPaths::hashed_link(NodeId node, std::uint64_t message) const {
  const auto members = static_cast<std::uint64_t>(members_onward(node));
  auto chosen = static_cast<std::int64_t>(mix(message, static_cast<std::uint64_t>(node)) % members);
  for (const LinkId link : graph_.leaving(node)) {
    if (!onward(link)) continue;
    chosen -= graph_.links[link].members;
    if (chosen < 0) return link;
  }
  return LinkId(-1);
}

void ShortestPaths::follow(LinkId link, NodeId& node, Route& route) const {
  route.hops.push_back({link, kWhole});
  route.latency = add(route.latency, graph_.links[link].latency);
  node = graph_.links[link].to;
}

void ShortestPaths::quickest(Route& route) const {
  for (NodeId node = source_; node != destination_;) follow(quickest_link(node), node, route);
}

void ShortestPaths::hashed(std::uint64_t message, Route& route) const {
  for (NodeId node = source_; node != destination_;)
    follow(hashed_link(node, message), node, route);
}

// Splits a node's share over its next links in proportion to their members. The remainder goes to
// the first links, one unit each, so that nothing is lost.
void ShortestPaths::divide(NodeId node, Arrived arrived, Spread& spread, Route& route) const {
  std::int64_t members = members_onward(node);
  for (const LinkId link : graph_.leaving(node)) {
    if (!onward(link)) continue;
    const Graph::Edge& it = graph_.links[link];
    const std::int64_t product = std::int64_t{arrived.share} * it.members;
    const auto share = static_cast<std::uint32_t>((product + members - 1) / members);
    members -= it.members;
    arrived.share -= share;
    if (share == 0) continue;
    route.hops.push_back({link, share});
    Arrived& next = spread.at(it.to);
    next.share += share;
    next.latency = std::max(next.latency, add(arrived.latency, it.latency));
  }
}

void ShortestPaths::split(Route& route) const {
  Spread spread(*this);
  spread.at(source_).share = kWhole;
  auto [node, arrived] = spread.take_farthest();
  while (node != destination_) {
    divide(node, arrived, spread, route);
    std::tie(node, arrived) = spread.take_farthest();
  }
  LOOM_CHECK(arrived.share == kWhole, "the entire message arrives");
  route.latency = arrived.latency;
}

}  // namespace loom::fabric
