#include "loom/fabric/circuits/topology_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "loom/base/error.h"
#include "loom/fabric/circuits/provision/ocs_max_min.h"
#include "loom/fabric/circuits/provision/topology/topology_edges.h"
#include "loom/fabric/network/balanced_routes.h"
#include "loom/fabric/network/coin_change.h"
#include "loom/fabric/network/graph.h"
#include "loom/fabric/network/graph_routes.h"
#include "loom/fabric/parameters.h"

namespace loom::fabric {
namespace {

// Maximum number of pairs for which balanced_routes() is used.
constexpr std::size_t kMaxBalancedPairs = std::size_t{1} << 14;

// A group whose rings have circuits of their own, and the path for every distance between its
// members.
struct RingPaths {
  std::vector<DeviceId> members;
  std::vector<int> position;  // per device; -1: not a member
  CoinChange coins;
};

std::vector<RingPaths> ring_paths(const TopologyDemand& demand, const Topology& topology) {
  std::vector<RingPaths> all;
  for (const GroupRings& it : topology.rings) {
    if (!it.own_circuits) continue;
    const std::vector<int>& members = demand.groups[static_cast<std::size_t>(it.group)].members;
    RingPaths paths{{members.begin(), members.end()},
                    std::vector<int>(static_cast<std::size_t>(demand.devices), -1),
                    CoinChange(static_cast<int>(members.size()), it.steps)};
    for (std::size_t i = 0; i < members.size(); ++i) {
      paths.position[static_cast<std::size_t>(members[i])] = static_cast<int>(i);
    }
    all.push_back(std::move(paths));
  }
  return all;
}

class TopologyRouter final : public Router {
 public:
  TopologyRouter(const Network& network, std::size_t circuits, std::vector<LinkId> transit,
                 std::vector<RingPaths> rings, Routes routes, bool forwarding)
      : first_(static_cast<std::size_t>(network.devices) + 1, 0),
        links_(network.links),
        transit_(std::move(transit)),
        rings_(std::move(rings)),
        routes_(std::move(routes)),
        forwarding_(forwarding) {
    for (std::size_t l = 0; l < circuits; ++l) {
      ++first_[static_cast<std::size_t>(network.links[l].from) + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    if (forwarding) others_ = graph_router(network, Routing::split, 0, true);
  }

  bool find(DeviceId source, DeviceId destination, std::uint64_t key, const std::vector<bool>& down,
            Route& route) const override {
    const auto known = routes_.find({source, destination});
    if (known != routes_.end() && usable(known->second, down)) {
      route = known->second;
      return true;
    }
    const LinkId own = link_between(source, destination);
    if (own >= 0 && (down.empty() || !down[static_cast<std::size_t>(own)])) {
      add({own}, route);
      return true;
    }
    if (!forwarding_) return false;
    if (over_rings(source, destination, route) && usable(route, down)) return true;
    route = {};
    if (!others_->find(source, destination, key, down, route)) return false;
    add_transit(destination, route);
    return true;
  }

  bool hashes() const override { return false; }

 private:
  // The circuit link of a pair, or -1. Circuit links are sorted by (from, to).
  LinkId link_between(DeviceId from, DeviceId to) const {
    const auto begin = links_.begin() + first_[static_cast<std::size_t>(from)];
    const auto end = links_.begin() + first_[static_cast<std::size_t>(from) + 1];
    const auto found = std::lower_bound(
        begin, end, to, [](const Link& it, DeviceId wanted) { return it.to < wanted; });
    return found != end && found->to == to ? LinkId(found - links_.begin()) : LinkId(-1);
  }

  bool over_rings(DeviceId source, DeviceId destination, Route& route) const {
    for (const RingPaths& it : rings_) {
      const int from = it.position[static_cast<std::size_t>(source)];
      const int to = it.position[static_cast<std::size_t>(destination)];
      if (from < 0 || to < 0) continue;
      const int n = static_cast<int>(it.members.size());
      Path path;
      int at = from;
      for (const int step : it.coins.path((to - from + n) % n)) {
        const int next = (at + step) % n;
        path.push_back(link_between(it.members[static_cast<std::size_t>(at)],
                                    it.members[static_cast<std::size_t>(next)]));
        at = next;
      }
      if (path.empty()) continue;
      add(path, route);
      return true;
    }
    return false;
  }

  void add(const Path& path, Route& route) const {
    for (const LinkId link : path) {
      route.hops.push_back({link});
      route.latency = capped_sum(route.latency, links_[static_cast<std::size_t>(link)].latency);
    }
    if (!path.empty()) add_transit(links_[static_cast<std::size_t>(path.back())].to, route);
  }

  void add_transit(NodeId destination, Route& route) const {
    const std::size_t hops = transit_.empty() ? 0 : route.hops.size();
    std::map<LinkId, std::uint64_t> shares;
    for (std::size_t h = 0; h < hops; ++h) {
      const NodeId to = links_[static_cast<std::size_t>(route.hops[h].link)].to;
      if (to != destination) shares[transit_[static_cast<std::size_t>(to)]] += route.hops[h].share;
    }
    for (const auto& it : shares) route.hops.push_back({it.first, it.second});
  }

  std::vector<int> first_;  // index of the first circuit link per source
  std::vector<Link> links_;
  std::vector<LinkId> transit_;
  std::vector<RingPaths> rings_;
  Routes routes_;
  bool forwarding_;
  std::shared_ptr<const Router> others_;
};

// Pairs that are neighbors on a ring with circuits of its own.
std::set<std::pair<int, int>> ring_pairs(const TopologyDemand& demand, const Topology& topology) {
  std::set<std::pair<int, int>> pairs;
  for (const GroupRings& it : topology.rings) {
    if (!it.own_circuits) continue;
    const std::vector<int>& members = demand.groups[static_cast<std::size_t>(it.group)].members;
    for (const int step : it.steps) {
      for (const Edge& edge : ring_of(members, step)) pairs.insert({edge.from, edge.to});
    }
  }
  return pairs;
}

Routes routes_for(const Network& network, std::size_t circuits, const std::vector<LinkId>& transit,
                  const TopologyDemand& demand, const Topology& topology) {
  const workload::Demand all = demand_over(demand, topology.rings);
  const auto own = ring_pairs(demand, topology);
  std::map<std::pair<int, int>, std::size_t> link_of;
  for (std::size_t l = 0; l < circuits; ++l) {
    link_of[{network.links[l].from, network.links[l].to}] = l;
  }
  std::vector<double> laid(network.links.size(), 0);
  workload::Demand others;
  for (const workload::PairDemand& it : all) {
    if (own.contains({it.from, it.to})) {
      laid[link_of.at({it.from, it.to})] += static_cast<double>(it.bytes.count);
    } else {
      others.push_back(it);
    }
  }
  if (others.size() > kMaxBalancedPairs) return {};
  return balanced_routes(network, graph_of(network, true), transit, others, std::move(laid));
}

std::optional<Infeasible> why_not_carried(const CircuitFabric& fabric,
                                          const workload::Demand& demand, const Network& network) {
  std::size_t without = 0;
  const workload::PairDemand* first = nullptr;
  for (const workload::PairDemand& it : demand) {
    Route route;
    if (network.router->find(DeviceId(it.from), DeviceId(it.to), 0, {}, route)) continue;
    if (++without == 1) first = &it;
  }
  if (without == 0) return std::nullopt;
  return Infeasible{fmt::format(
      "{} of {} pairs that exchange data have no circuit, such as {} -> {}, and {}; {} is needed",
      without, demand.size(), first->from, first->to,
      fabric.forwarding ? "no path over other devices exists" : "devices do not forward",
      fabric.forwarding ? "a larger degree" : "forwarding, or a larger degree")};
}

Provisioned provisioned(const CircuitFabric& fabric, const Topology& topology,
                        const workload::Demand& demand) {
  Provisioned result;
  result.bound = max_min_bound(std::get<OcsLimits>(fabric.limits), demand);
  result.circuits = topology.circuits;
  result.ring_ports = topology.all_reduce_degree;
  std::map<std::pair<int, int>, int> counts;
  for (const PairCircuits& it : by_pair(topology.circuits)) counts[{it.from, it.to}] = it.count;
  result.rate = demand.empty() ? 0 : std::numeric_limits<double>::max();
  for (const workload::PairDemand& it : demand) {
    const auto found = counts.find({it.from, it.to});
    const int count = found == counts.end() ? 0 : found->second;
    result.rate = std::min(result.rate, count / static_cast<double>(it.bytes.count));
    if (count == 0) result.unserved.push_back(it);
  }
  return result;
}

}  // namespace

Network topology_network(const CircuitFabric& fabric, const TopologyDemand& demand,
                         const Topology& topology) {
  LOOM_CHECK(fabric.topology.has_value(), "the fabric finds topologies");
  Network network = bare_network(demand.devices);
  network.out_of_band = fabric.latency;
  for (const PairCircuits& it : by_pair(topology.circuits)) {
    add_link(network, {NodeId(it.from),
                       NodeId(it.to),
                       {it.count * fabric.circuit.bits_per_second},
                       fabric.latency,
                       it.count});
  }
  const std::size_t circuits = network.links.size();
  std::vector<LinkId> transit;
  if (fabric.topology->forwarding_rate.bits_per_second > 0) {
    for (DeviceId d(0); d < demand.devices; ++d) {
      transit.push_back(add_link(network, {d, d, fabric.topology->forwarding_rate, {}, 1}));
    }
  }
  Routes routes;
  if (fabric.forwarding) routes = routes_for(network, circuits, transit, demand, topology);
  network.router = std::make_shared<TopologyRouter>(network, circuits, std::move(transit),
                                                    ring_paths(demand, topology), std::move(routes),
                                                    fabric.forwarding);
  return network;
}

double busiest_link_time(const Network& network, const workload::Demand& demand) {
  std::vector<double> bits(network.links.size(), 0);
  for (const workload::PairDemand& it : demand) {
    Route route;
    if (!network.router->find(DeviceId(it.from), DeviceId(it.to), 0, {}, route)) {
      return std::numeric_limits<double>::infinity();
    }
    for (const Hop& hop : route.hops) {
      bits[static_cast<std::size_t>(hop.link)] +=
          static_cast<double>(it.bytes.count) * 8 * static_cast<double>(hop.share) / kWhole;
    }
  }
  double max_time = 0;
  for (std::size_t l = 0; l < bits.size(); ++l) {
    max_time = std::max(max_time,
                        bits[l] / static_cast<double>(network.links[l].bandwidth.bits_per_second));
  }
  return max_time;
}

TopologySetup provision_topology(const CircuitFabric& fabric, const TopologyDemand& demand) {
  return provision_topology(fabric, demand, demand);
}

TopologySetup provision_topology(const CircuitFabric& fabric, const TopologyDemand& demand,
                                 const TopologyDemand& shares) {
  const TopologyRules& rules = *fabric.topology;
  const auto cost = [&](const Topology& it) {
    return busiest_link_time(topology_network(fabric, demand, it), demand_over(demand, it.rings));
  };
  TopologySetup result;
  result.topology =
      rules.sweep ? best_split(shares, rules.options, cost) : find_topology(shares, rules.options);
  const workload::Demand all = demand_over(demand, result.topology.rings);
  result.setup.provisioned = provisioned(fabric, result.topology, all);
  result.setup.network = topology_network(fabric, demand, result.topology);
  const int needed = result.topology.planes_needed;
  if (needed > rules.options.degree) {
    result.setup.infeasible = Infeasible{fmt::format(
        "the circuits take {} duplex planes and there are {}: a cycle of an odd number of devices "
        "takes three; duplex_planes: false, or groups of even size, is needed",
        needed, rules.options.degree)};
  } else {
    result.setup.infeasible = why_not_carried(fabric, all, result.setup.network);
  }
  return result;
}

}  // namespace loom::fabric
