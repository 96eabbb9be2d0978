#include "loom/fabric/network/balanced_routes.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "loom/base/error.h"

namespace loom::fabric {
namespace {

constexpr int kPaths = 8;
constexpr int kSubflows = 4;  // a pair's bytes are placed in quarters
constexpr int kLonger = 2;    // links by which a path may exceed the shortest
constexpr int kRelaid = 2;    // times every quarter is placed again

// Enumerates simple paths of exactly the given length until there are `max`.
class PathSearch {
 public:
  PathSearch(const Graph& graph, const Distances& to_target, NodeId target, std::size_t max)
      : graph_(graph),
        to_target_(to_target),
        target_(target),
        max_(max),
        on_path_(static_cast<std::size_t>(graph.nodes()), false) {}

  void find(NodeId source, int links) {
    on_path_[static_cast<std::size_t>(source)] = true;
    extend(source, links);
    on_path_[static_cast<std::size_t>(source)] = false;
  }

  std::vector<Path> paths;

 private:
  int left_from(NodeId node) const {
    return to_target_.length[static_cast<std::size_t>(node - to_target_.first)];
  }

  void extend(NodeId node, int links) {
    if (links == 0) {
      paths.push_back(path_);
      return;
    }
    for (const LinkId link : graph_.leaving(node)) {
      if (paths.size() == max_) return;
      const NodeId next = graph_.links[static_cast<std::size_t>(link)].to;
      if (on_path_[static_cast<std::size_t>(next)]) continue;
      if (next == target_ ? links != 1 : left_from(next) > links - 1) continue;
      on_path_[static_cast<std::size_t>(next)] = true;
      path_.push_back(link);
      extend(next, links - 1);
      path_.pop_back();
      on_path_[static_cast<std::size_t>(next)] = false;
    }
  }

  const Graph& graph_;
  const Distances& to_target_;
  NodeId target_;
  std::size_t max_;
  std::vector<bool> on_path_;  // by node
  Path path_;
};

// A pair's demand, its candidate paths, and the path that each quarter takes.
struct LaidPair {
  workload::PairDemand pair;
  std::vector<Path> paths;  // including transit links
  std::array<std::size_t, kSubflows> taken{};
};

double fourth(double load) { return load * load * load * load; }

class Balance {
 public:
  Balance(const Network& network, std::vector<double> laid) : load_(std::move(laid)) {
    Bandwidth max{1};
    for (const Link& it : network.links) max = std::max(max, it.bandwidth);
    for (const Link& it : network.links) {
      const auto bandwidth =
          static_cast<double>(std::max<std::int64_t>(1, it.bandwidth.bits_per_second));
      cost_.push_back(static_cast<double>(max.bits_per_second) / bandwidth);
    }
  }

  void lay(LaidPair& it, std::size_t subflow) {
    const double bytes = static_cast<double>(it.pair.bytes.count) / kSubflows;
    std::size_t best = 0;
    double lowest = 0;
    for (std::size_t w = 0; w < it.paths.size(); ++w) {
      const double added = added_cost(it.paths[w], bytes);
      if (w > 0 && added >= lowest) continue;
      lowest = added;
      best = w;
    }
    it.taken[subflow] = best;
    move(it.paths[best], bytes);
  }

  void lift(const LaidPair& it, std::size_t subflow) {
    move(it.paths[it.taken[subflow]], -static_cast<double>(it.pair.bytes.count) / kSubflows);
  }

 private:
  double added_cost(const Path& path, double bytes) const {
    double sum = 0;
    for (const LinkId link : path) {
      const auto l = static_cast<std::size_t>(link);
      sum += fourth((load_[l] + bytes) * cost_[l]) - fourth(load_[l] * cost_[l]);
    }
    return sum;
  }

  void move(const Path& path, double bytes) {
    for (const LinkId link : path) load_[static_cast<std::size_t>(link)] += bytes;
  }

  std::vector<double> load_;  // by link: bytes
  std::vector<double> cost_;  // by link: maximum link bandwidth / its own
};

Path with_transit(const Network& network, const std::vector<LinkId>& transit, const Path& path) {
  if (transit.empty()) return path;
  Path all;
  for (std::size_t i = 0; i < path.size(); ++i) {
    all.push_back(path[i]);
    const NodeId to = network.links[static_cast<std::size_t>(path[i])].to;
    if (i + 1 < path.size()) all.push_back(transit[static_cast<std::size_t>(to)]);
  }
  return all;
}

std::vector<LaidPair> pairs_to_lay(const Network& network, const Graph& graph,
                                   const std::vector<LinkId>& transit, workload::Demand demand) {
  std::sort(demand.begin(), demand.end(),
            [](const workload::PairDemand& a, const workload::PairDemand& b) {
              return std::tuple(a.to, a.from) < std::tuple(b.to, b.from);
            });
  std::vector<LaidPair> pairs;
  Distances distances;
  for (std::size_t i = 0; i < demand.size(); ++i) {
    const workload::PairDemand& it = demand[i];
    const NodeId to(it.to);
    if (i == 0 || demand[i - 1].to != it.to) distances = distances_to(graph, to, {});
    LaidPair pair{it, k_shortest_paths(graph, distances, NodeId(it.from), to, kPaths), {}};
    for (Path& path : pair.paths) path = with_transit(network, transit, path);
    if (!pair.paths.empty()) pairs.push_back(std::move(pair));
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const LaidPair& a, const LaidPair& b) {
    return a.pair.bytes > b.pair.bytes;
  });
  return pairs;
}

// Concatenates the paths; a link that several paths share appears once, where the first path uses
// it.
Route route_of(const Network& network, const LaidPair& it) {
  Route route;
  std::map<LinkId, std::size_t> place;  // by link: index of its hop
  for (const std::size_t taken : it.taken) {
    Duration latency{0};
    for (const LinkId link : it.paths[taken]) {
      const auto [at, first] = place.try_emplace(link, route.hops.size());
      if (first) route.hops.push_back({link, 0});
      route.hops[at->second].share += kWhole / kSubflows;
      latency = capped_sum(latency, network.links[static_cast<std::size_t>(link)].latency);
    }
    route.latency = std::max(route.latency, latency);
  }
  return route;
}

}  // namespace

std::vector<Path> k_shortest_paths(const Graph& graph, const Distances& to_target, NodeId source,
                                   NodeId target, int max) {
  const int shortest = to_target.length[static_cast<std::size_t>(source - to_target.first)];
  if (shortest == kUnreached) return {};
  PathSearch search(graph, to_target, target, static_cast<std::size_t>(max));
  for (int longer = 0; longer <= kLonger; ++longer) search.find(source, shortest + longer);
  return std::move(search.paths);
}

Routes balanced_routes(const Network& network, const Graph& graph,
                       const std::vector<LinkId>& transit, const workload::Demand& demand,
                       std::vector<double> laid) {
  std::vector<LaidPair> pairs = pairs_to_lay(network, graph, transit, demand);
  laid.resize(network.links.size(), 0);
  Balance balance(network, std::move(laid));
  for (int round = 0; round <= kRelaid; ++round) {
    for (std::size_t subflow = 0; subflow < kSubflows; ++subflow) {
      for (LaidPair& it : pairs) {
        if (round > 0) balance.lift(it, subflow);
        balance.lay(it, subflow);
      }
    }
  }
  Routes routes;
  for (const LaidPair& it : pairs) {
    routes[{DeviceId(it.pair.from), DeviceId(it.pair.to)}] = route_of(network, it);
  }
  return routes;
}

}  // namespace loom::fabric
