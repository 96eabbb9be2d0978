#include "loom/fabric/circuits/provision/topology/topology_edges.h"

#include <algorithm>
#include <map>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/fabric/circuits/provision/general_matching.h"
#include "loom/fabric/circuits/provision/matching.h"

namespace loom::fabric {
namespace {

// Weight of the largest pair, to which all weights are scaled. The sum over a matching of 2^13
// pairs stays below the limit of 2^60.
constexpr std::int64_t kMaxEdgeWeight = std::int64_t{1} << 46;

// If all pairs send the same amount, many matchings have the max weight. Breaking ties at random
// gives a graph with short paths; breaking them by device number would give small cliques. The
// added value is less than 2^-26 of the max weight.
std::int64_t tie_breaker(const Edge& edge, int round) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << 20) - 1;
  const std::uint64_t pair =
      mix(static_cast<std::uint64_t>(edge.from), static_cast<std::uint64_t>(edge.to));
  return static_cast<std::int64_t>(mix(pair, static_cast<std::uint64_t>(round)) & kMask);
}

struct WeightedPair {
  Edge edge;
  std::int64_t weight = 0;
};

// The pairs and their weights, sorted by (from, to). If not directed, the bytes of both directions
// are added up, as a pair from the lower to the higher device number.
std::vector<WeightedPair> weighted_pairs(const workload::Demand& pairs, bool directed) {
  std::map<Edge, Int128> bytes;
  for (const workload::PairDemand& it : pairs) {
    const Edge edge =
        directed ? Edge{it.from, it.to} : Edge{std::min(it.from, it.to), std::max(it.from, it.to)};
    bytes[edge] += it.bytes.count;
  }
  Int128 max_bytes = 1;
  for (const auto& it : bytes) max_bytes = std::max(max_bytes, it.second);
  std::vector<WeightedPair> weighted;
  for (const auto& it : bytes) {
    const Int128 scaled = it.second * kMaxEdgeWeight / max_bytes;
    weighted.push_back({it.first, std::max<std::int64_t>(1, static_cast<std::int64_t>(scaled))});
  }
  return weighted;
}

// Indices of the matched pairs; only pairs whose ends both have free ports are matched.
std::vector<std::size_t> match_once(const std::vector<WeightedPair>& pairs, bool directed,
                                    const FreePorts& ports, int round) {
  std::vector<WeightedEdge> directed_edges;
  std::vector<PairWeight> edges;
  std::vector<std::size_t> place;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [from, to] = pairs[p].edge;
    const bool free = directed ? ports.out[static_cast<std::size_t>(from)] > 0 &&
                                     ports.in[static_cast<std::size_t>(to)] > 0
                               : ports.at(from) > 0 && ports.at(to) > 0;
    if (!free) continue;
    place.push_back(p);
    const std::int64_t weight = pairs[p].weight + tie_breaker(pairs[p].edge, round);
    if (directed) directed_edges.push_back({from, to, weight});
    if (!directed) edges.push_back({from, to, weight});
  }
  const int vertices = static_cast<int>(ports.out.size());
  const std::vector<int> matched = directed ? max_weight_matching(vertices, directed_edges)
                                            : max_weight_general_matching(vertices, edges);
  std::vector<std::size_t> chosen;
  for (const int edge : matched) chosen.push_back(place[static_cast<std::size_t>(edge)]);
  return chosen;
}

// Devices reachable from a device over these edges, or, with `back`, those that reach it.
class Reach {
 public:
  Reach(int devices, std::span<const Edge> edges, bool back)
      : first_(static_cast<std::size_t>(devices) + 1, 0), to_(edges.size()) {
    const auto end = [&](const Edge& it) {
      return static_cast<std::size_t>(back ? it.to : it.from);
    };
    for (const Edge& it : edges) ++first_[end(it) + 1];
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (const Edge& it : edges) {
      to_[static_cast<std::size_t>(next[end(it)]++)] = back ? it.from : it.to;
    }
  }

  std::vector<bool> from(int device) const {
    std::vector<bool> seen(first_.size() - 1, false);
    std::vector<int> open = {device};
    seen[static_cast<std::size_t>(device)] = true;
    while (!open.empty()) {
      const auto here = static_cast<std::size_t>(open.back());
      open.pop_back();
      for (int i = first_[here]; i < first_[here + 1]; ++i) {
        const int to = to_[static_cast<std::size_t>(i)];
        if (seen[static_cast<std::size_t>(to)]) continue;
        seen[static_cast<std::size_t>(to)] = true;
        open.push_back(to);
      }
    }
    return seen;
  }

 private:
  std::vector<int> first_;
  std::vector<int> to_;
};

}  // namespace

int FreePorts::at(int device) const {
  const auto d = static_cast<std::size_t>(device);
  return std::min(out[d], in[d]);
}

void FreePorts::take(const Edge& edge) {
  int& sending = out[static_cast<std::size_t>(edge.from)];
  int& receiving = in[static_cast<std::size_t>(edge.to)];
  LOOM_CHECK(sending > 0 && receiving > 0, "a circuit takes ports that are free");
  --sending;
  --receiving;
}

EdgeList ring_of(std::span<const int> members, int step) {
  EdgeList edges;
  const std::size_t n = members.size();
  for (std::size_t i = 0; i < n; ++i) {
    edges.push_back({members[i], members[(i + static_cast<std::size_t>(step)) % n]});
  }
  return edges;
}

void add_matchings(const workload::Demand& pairs, const MatchingRounds& how, FreePorts& ports,
                   EdgeList& edges) {
  std::vector<WeightedPair> weighted = weighted_pairs(pairs, how.directed);
  for (int round = 0; round < how.rounds; ++round) {
    const std::vector<std::size_t> matched = match_once(weighted, how.directed, ports, round);
    if (matched.empty()) return;
    for (const std::size_t p : matched) {
      const Edge there = weighted[p].edge;
      weighted[p].weight = std::max<std::int64_t>(1, weighted[p].weight / 2);
      ports.take(there);
      edges.push_back(there);
      if (how.directed) continue;
      ports.take({there.to, there.from});
      edges.push_back({there.to, there.from});
    }
  }
}

// The component of a device is the set of devices that it reaches and that reach it. There are few
// components, and each costs one pass over all edges.
std::vector<int> strong_components(int devices, std::span<const Edge> edges) {
  const Reach forward(devices, edges, false);
  const Reach back(devices, edges, true);
  std::vector<int> component(static_cast<std::size_t>(devices), -1);
  int components = 0;
  for (int device = 0; device < devices; ++device) {
    if (component[static_cast<std::size_t>(device)] >= 0) continue;
    const std::vector<bool> there = forward.from(device);
    const std::vector<bool> here = back.from(device);
    for (std::size_t d = 0; d < component.size(); ++d) {
      if (there[d] && here[d]) component[d] = components;
    }
    ++components;
  }
  return component;
}

}  // namespace loom::fabric
