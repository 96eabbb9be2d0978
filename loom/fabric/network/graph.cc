#include "loom/fabric/network/graph.h"

#include <algorithm>
#include <array>
#include <utility>

#include "loom/base/error.h"

namespace loom::fabric {
namespace {

// Groups links by one of their ends; each group is in order of link number.
void group(const std::vector<Graph::Edge>& links, NodeId Graph::Edge::*end, int nodes,
           std::vector<int>& first, std::vector<LinkId>& grouped) {
  first.assign(static_cast<std::size_t>(nodes) + 1, 0);
  for (const Graph::Edge& link : links) ++first[link.*end + 1];
  for (int node = 0; node < nodes; ++node) first[node + 1] += first[node];
  std::vector<int> next(first.begin(), first.end() - 1);
  grouped.resize(links.size());
  for (LinkId number(0); number < static_cast<int>(links.size()); ++number) {
    grouped[next[links[number].*end]++] = number;
  }
}

// Shortest-path search from the target outward with Dial's bucket queue (CACM 12/11, 1969): nodes
// wait in buckets by their distance modulo the number of buckets. If all lengths are 1, this is
// breadth-first search.
class Search {
 public:
  Search(const Graph& graph, const std::vector<bool>& down) : graph_(graph), down_(down) {
    distances_.first = graph.devices_forward ? 0 : graph.devices;
    const auto nodes = static_cast<std::size_t>(graph.nodes() - distances_.first);
    distances_.length.assign(nodes, kUnreached);
    distances_.latency.assign(nodes, kForever);
  }

  Distances run(NodeId target) {
    if (graph_.forwards(target)) distances_.length[target - distances_.first] = 0;
    if (graph_.forwards(target)) distances_.latency[target - distances_.first] = Duration(0);
    reach_from(target, 0, Duration(0));
    int idle = 0;
    std::vector<NodeId> settled;
    for (int length = 1; idle <= kLongestLink; ++length) {
      settled.clear();
      settled.swap(waiting_[length % waiting_.size()]);
      idle = settled.empty() ? idle + 1 : 0;
      for (const NodeId node : settled) {
        // If the length differs, a shorter path has reached the node since.
        const int place = node - distances_.first;
        if (distances_.length[place] == length) reach_from(node, length, distances_.latency[place]);
      }
    }
    return std::move(distances_);
  }

 private:
  void reach_from(NodeId node, int length, Duration latency) {
    for (const LinkId number : graph_.arriving(node)) {
      if (!down_.empty() && down_[number]) continue;
      const Graph::Edge& link = graph_.links[number];
      if (!graph_.forwards(link.from)) continue;
      reach(link.from, length + link.length, capped_sum(latency, link.latency));
    }
  }

  void reach(NodeId node, int length, Duration latency) {
    int& best = distances_.length[node - distances_.first];
    Duration& min_latency = distances_.latency[node - distances_.first];
    if (length < best) {
      waiting_[length % waiting_.size()].push_back(node);
      min_latency = latency;
    } else if (length == best) {
      min_latency = std::min(min_latency, latency);
    }
    best = std::min(best, length);
  }

  const Graph& graph_;
  const std::vector<bool>& down_;
  Distances distances_;
  std::array<std::vector<NodeId>, kLongestLink + 1> waiting_;
};

}  // namespace

Graph graph_of(const Network& network, bool devices_forward, std::span<const int> lengths) {
  Graph graph;
  graph.devices = network.devices;
  graph.devices_forward = devices_forward;
  graph.links.reserve(network.links.size());
  for (std::size_t number = 0; number < network.links.size(); ++number) {
    const Link& link = network.links[number];
    const int length = lengths.empty() ? 1 : lengths[number];
    LOOM_CHECK(length >= 1 && length <= kLongestLink, "a link has a length from 1 to kLongestLink");
    graph.links.push_back({link.from, link.to, link.members, length, link.latency});
  }
  group(graph.links, &Graph::Edge::from, network.nodes, graph.first_out, graph.out);
  group(graph.links, &Graph::Edge::to, network.nodes, graph.first_in, graph.in);
  return graph;
}

Distances distances_to(const Graph& graph, NodeId target, const std::vector<bool>& down) {
  return Search(graph, down).run(target);
}

}  // namespace loom::fabric
