#include "loom/fabric/network/graph_routes.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "loom/base/random.h"
#include "loom/fabric/network/graph.h"
#include "loom/fabric/network/route_table.h"
#include "loom/fabric/network/shortest_paths.h"

namespace loom::fabric {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{64} << 20;

// Cached distances to recent targets for one set of down links; cleared when the set changes or the
// cache is full. Sets are compared by a 64-bit hash: a bitwise comparison per message would cost
// more than finding the route.
class DistanceCache {
 public:
  template <class Compute>
  std::shared_ptr<const Distances> find(NodeId target, const std::vector<bool>& down,
                                        Compute compute) {
    const std::size_t set = std::hash<std::vector<bool>>()(down);
    {
      const std::scoped_lock lock(mutex_);
      const auto known = known_.find(target);
      if (known != known_.end() && set_ == set) return known->second;
    }
    auto computed = std::make_shared<const Distances>(compute());
    const std::size_t bytes =
        computed->length.size() * sizeof(int) + computed->latency.size() * sizeof(Duration);
    const std::scoped_lock lock(mutex_);
    if (set_ != set || (known_.size() + 1) * bytes > kCacheBytes) known_.clear();
    set_ = set;
    known_[target] = computed;
    return computed;
  }

 private:
  std::mutex mutex_;
  std::size_t set_ = 0;
  std::unordered_map<int, std::shared_ptr<const Distances>> known_;
};

class GraphRouter final : public Router {
 public:
  GraphRouter(Graph graph, Routing routing, std::uint64_t seed)
      : graph_(std::move(graph)), routing_(routing), seed_(seed), splits_(graph_.devices) {}

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    const bool splits = routing_ == Routing::split && down.empty();
    if (splits && splits_.find(source, destination, route)) return true;
    if (!find_among(whole_, {}, source, destination, key, route)) return false;
    if (splits) splits_.keep(source, destination, route);
    if (usable(route, down)) return true;
    route = {};
    return find_among(damaged_, down, source, destination, key, route);
  }

  bool hashes() const override { return routing_ == Routing::ecmp; }

 private:
  bool find_among(DistanceCache& cache, const std::vector<bool>& down, DeviceId source,
                  DeviceId destination, std::uint64_t key, Route& route) const {
    const Anchor anchor = anchor_of(graph_, destination, down);
    const auto distances = cache.find(anchor.node, down, [&] {
      Distances computed = distances_to(graph_, anchor.node, down);
      if (routing_ != Routing::shortest) computed.latency = {};
      return computed;
    });
    const ShortestPaths paths(graph_, *distances, anchor, source, destination, down);
    if (!paths.any()) return false;
    if (routing_ == Routing::split) {
      paths.split(route);
    } else if (routing_ == Routing::ecmp) {
      paths.hashed(message_hash(seed_, key, source, destination), route);
    } else {
      paths.quickest(route);
    }
    return true;
  }

  Graph graph_;
  Routing routing_;
  std::uint64_t seed_;
  mutable DistanceCache whole_;    // with all links up
  mutable DistanceCache damaged_;  // with the most recent set of down links
  mutable RouteTable splits_;      // routes over all shortest paths, with all links up
};

}  // namespace

std::shared_ptr<const Router> graph_router(const Network& network, Routing routing,
                                           std::uint64_t seed, bool devices_forward,
                                           std::span<const int> lengths) {
  return std::make_shared<GraphRouter>(graph_of(network, devices_forward, lengths), routing, seed);
}

std::uint64_t message_hash(std::uint64_t seed, std::uint64_t key, DeviceId source,
                           DeviceId destination) {
  const std::uint64_t pair = mix(static_cast<std::uint64_t>(source), destination);
  return mix(mix(seed, key), pair);
}

bool usable(const Route& route, const std::vector<bool>& down) {
  return down.empty() || std::none_of(route.hops.begin(), route.hops.end(),
                                      [&](const Hop& hop) { return down[hop.link]; });
}

}  // namespace loom::fabric
