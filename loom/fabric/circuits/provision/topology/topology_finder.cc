#include "loom/fabric/circuits/provision/topology/topology_finder.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "loom/base/error.h"
#include "loom/fabric/circuits/provision/edge_coloring.h"
#include "loom/fabric/circuits/provision/topology/duplex_planes.h"
#include "loom/fabric/circuits/provision/topology/topology_demand.h"
#include "loom/fabric/circuits/provision/topology/topology_edges.h"

namespace loom::fabric {
namespace {

class TopologyFinder {
 public:
  TopologyFinder(const TopologyDemand& demand, const TopologyOptions& options)
      : demand_(demand),
        options_(options),
        ports_(demand.devices, options.degree),
        known_(options.known ? options.known : std::make_shared<StepTable>()),
        rings_of_(demand.groups.size(), 0) {
    for (std::size_t g = 0; g < demand.groups.size(); ++g) {
      if (demand.groups[g].members.size() > 1) order_.push_back(static_cast<int>(g));
    }
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
      return reduced_bytes(group(a)) > reduced_bytes(group(b));
    });
  }

  Topology run(int all_reduce_degree) {
    build(all_reduce_degree, {});
    const std::vector<std::vector<int>> apart = disconnected_groups();
    if (!apart.empty()) build(all_reduce_degree, apart);
    Topology topology;
    put_in_planes(topology);
    topology.all_reduce_degree = all_reduce_degree;
    for (const int g : order_) topology.rings.push_back(rings_of(g));
    std::sort(topology.rings.begin(), topology.rings.end(),
              [](const GroupRings& a, const GroupRings& b) { return a.group < b.group; });
    return topology;
  }

 private:
  const AllReduceGroup& group(int g) const { return demand_.groups[static_cast<std::size_t>(g)]; }
  int size_of(int g) const { return static_cast<int>(group(g).members.size()); }

  // Ports that a ring takes at each member; with two members both directions are the same ring.
  int ports_of_ring(int members) const { return options_.directed || members == 2 ? 1 : 2; }

  // Builds all edges, starting with a ring through each set of devices in `through`.
  void build(int all_reduce_degree, const std::vector<std::vector<int>>& through) {
    ports_ = FreePorts(demand_.devices, options_.degree);
    edges_.clear();
    std::fill(rings_of_.begin(), rings_of_.end(), 0);
    for (const std::vector<int>& members : through) connect_through(members);
    share_out_rings(all_reduce_degree);
    add_matchings(pairs_left(), {options_.directed, options_.degree}, ports_, edges_);
    fill_with_rings();
    connect_rings();
  }

  void connect(const EdgeList& edges) {
    for (const Edge& it : edges) {
      ports_.take(it);
      edges_.push_back(it);
    }
  }

  void connect_through(const std::vector<int>& members) {
    const int n = static_cast<int>(members.size());
    for (const int member : members) {
      if (ports_.at(member) < ports_of_ring(n)) return;
    }
    connect(ring_of(members, 1));
    if (!options_.directed && n > 2) connect(ring_of(members, n - 1));
  }

  // Max number of further rings: limited by the free ring ports of every member.
  int rings_possible(int g, const std::vector<int>& left) const {
    int lowest = options_.degree;
    for (const int member : group(g).members) {
      lowest = std::min({lowest, left[static_cast<std::size_t>(member)], ports_.at(member)});
    }
    return lowest / ports_of_ring(size_of(g));
  }

  void take_ports(int g, int rings, std::vector<int>& left) {
    rings_of_[static_cast<std::size_t>(g)] += rings;
    const int ports = rings * ports_of_ring(size_of(g));
    for (const int member : group(g).members) {
      const auto d = static_cast<std::size_t>(member);
      left[d] -= ports;
      ports_.out[d] -= ports;
      ports_.in[d] -= ports;
    }
  }

  // Gives group k, largest first, ceil(d · T_k / ΣT) ports for rings, out of d = all_reduce_degree.
  // T_k is the all-reduce bytes of group k per member. ΣT adds up T over all groups to which a
  // device belongs; it is taken for the member of group k for which it is largest. All groups of an
  // equivalence class then get as many rings as the one that has the fewest.
  void share_out_rings(int all_reduce_degree) {
    std::vector<Int128> reduced(static_cast<std::size_t>(demand_.devices), 0);
    for (const int g : order_) {
      for (const int member : group(g).members) {
        reduced[static_cast<std::size_t>(member)] += reduced_bytes(group(g)) / size_of(g);
      }
    }
    std::vector<int> left(static_cast<std::size_t>(demand_.devices), all_reduce_degree);
    std::map<int, int> of_class;  // min rings per equivalence class
    for (const int g : order_) {
      Int128 max_reduced = 1;
      for (const int member : group(g).members) {
        max_reduced = std::max(max_reduced, reduced[static_cast<std::size_t>(member)]);
      }
      const Int128 share = Int128{all_reduce_degree} * (reduced_bytes(group(g)) / size_of(g));
      const int ports = static_cast<int>((share + max_reduced - 1) / max_reduced);
      const int each = ports_of_ring(size_of(g));
      const int rings = std::min((ports + each - 1) / each, rings_possible(g, left));
      take_ports(g, rings, left);
      if (group(g).equivalence_class < 0) continue;
      const auto [at, first] = of_class.try_emplace(group(g).equivalence_class, rings);
      if (!first) at->second = std::min(at->second, rings);
    }
    for (const int g : order_) {
      const auto lowest = of_class.find(group(g).equivalence_class);
      if (lowest == of_class.end()) continue;
      take_ports(g, lowest->second - rings_of_[static_cast<std::size_t>(g)], left);
    }
  }

  // Demand for the matchings: the demand of the pairs, and that of groups without a ring, as if
  // they were reduced over a ring in member order.
  workload::Demand pairs_left() const {
    std::vector<GroupRings> without_ring;
    for (const int g : order_) {
      if (rings_of_[static_cast<std::size_t>(g)] == 0) without_ring.push_back({g, {1}, false});
    }
    return demand_over(demand_, without_ring);
  }

  // Uses the remaining ports for further rings, as long as all members of a group have free ports
  // and all groups of an equivalence class get the same number of rings.
  void fill_with_rings() {
    std::vector<std::vector<int>> classes;  // largest first
    std::map<int, std::size_t> place;       // index in `classes` per class number
    for (const int g : order_) {
      const int number = group(g).equivalence_class < 0 ? -1 - g : group(g).equivalence_class;
      const auto [at, first] = place.try_emplace(number, classes.size());
      if (first) classes.emplace_back();
      classes[at->second].push_back(g);
    }
    std::vector<int> left(static_cast<std::size_t>(demand_.devices), options_.degree);
    for (bool more = true; more;) {
      more = false;
      for (const std::vector<int>& it : classes) more = fill_class(it, left) || more;
    }
  }

  // Adds one ring to each of these groups, or to none.
  bool fill_class(const std::vector<int>& groups, std::vector<int>& left) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (rings_possible(groups[i], left) > 0) {
        take_ports(groups[i], 1, left);
        continue;
      }
      while (i > 0) take_ports(groups[--i], -1, left);
      return false;
    }
    return true;
  }

  // Adds the edges of the rings, whose ports are already taken.
  void connect_rings() {
    for (const int g : order_) {
      if (rings_of_[static_cast<std::size_t>(g)] == 0) continue;
      for (const int step : rings_of(g).steps) {
        for (const Edge& it : ring_of(group(g).members, step)) edges_.push_back(it);
      }
    }
  }

  GroupRings rings_of(int g) const {
    const int rings = rings_of_[static_cast<std::size_t>(g)];
    if (rings == 0) return {g, {1}, false};
    const int n = size_of(g);
    const bool bidirectional = ports_of_ring(n) == 2;
    GroupRings result{g, {}, true};
    const ChosenSteps chosen = known_->choose(n, rings, bidirectional, options_.steps);
    for (const int step : chosen.steps) {
      result.steps.push_back(step);
      if (bidirectional) result.steps.push_back(n - step);
    }
    return result;
  }

  // Sets of devices that exchange data, directly or indirectly; one set of all devices with
  // connect_all.
  std::vector<std::vector<int>> exchanging() const {
    std::vector<int> of(static_cast<std::size_t>(demand_.devices));
    std::iota(of.begin(), of.end(), 0);
    const auto root = [&](int d) {
      while (of[static_cast<std::size_t>(d)] != d) {
        of[static_cast<std::size_t>(d)] =
            of[static_cast<std::size_t>(of[static_cast<std::size_t>(d)])];
        d = of[static_cast<std::size_t>(d)];
      }
      return d;
    };
    const auto unite = [&](int a, int b) { of[static_cast<std::size_t>(root(a))] = root(b); };
    for (const workload::PairDemand& it : demand_.pairs) unite(it.from, it.to);
    for (const int g : order_) {
      for (const int member : group(g).members) unite(group(g).members.front(), member);
    }
    for (int d = 1; options_.connect_all && d < demand_.devices; ++d) unite(0, d);
    std::map<int, std::vector<int>> sets;
    for (int d = 0; d < demand_.devices; ++d) sets[root(d)].push_back(d);
    std::vector<std::vector<int>> result;
    for (auto& it : sets) {
      if (it.second.size() > 1) result.push_back(std::move(it.second));
    }
    return result;
  }

  // The sets of exchanging() in which some device does not reach another.
  std::vector<std::vector<int>> disconnected_groups() const {
    const std::vector<int> component = strong_components(demand_.devices, edges_);
    std::vector<std::vector<int>> apart = exchanging();
    std::erase_if(apart, [&](const std::vector<int>& members) {
      const int first = component[static_cast<std::size_t>(members.front())];
      return std::all_of(members.begin(), members.end(), [&](int member) {
        return component[static_cast<std::size_t>(member)] == first;
      });
    });
    return apart;
  }

  // Plane of each edge.
  std::vector<int> planes_of_edges() const {
    std::vector<BipartiteEdge> edges;
    for (const Edge& it : edges_) edges.push_back({it.from, it.to});
    return color_edges(demand_.devices, options_.degree, edges);
  }

  void put_in_planes(Topology& topology) const {
    std::vector<int> planes;
    topology.planes_needed = options_.degree;
    if (options_.duplex_planes) {
      DuplexPlanes duplex = duplex_planes(demand_.devices, edges_);
      topology.planes_needed = duplex.planes;
      planes = std::move(duplex.plane);
    }
    if (topology.planes_needed > options_.degree || planes.empty()) planes = planes_of_edges();
    for (std::size_t j = 0; j < edges_.size(); ++j) {
      topology.circuits.push_back({.from = edges_[j].from, .to = edges_[j].to, .plane = planes[j]});
    }
    std::sort(topology.circuits.begin(), topology.circuits.end());
  }

  const TopologyDemand& demand_;
  const TopologyOptions& options_;
  FreePorts ports_;
  std::shared_ptr<StepTable> known_;
  std::vector<int> order_;     // groups of at least two members, largest first
  std::vector<int> rings_of_;  // rings per group; a bidirectional ring counts once
  EdgeList edges_;
};

}  // namespace

Topology find_topology(const TopologyDemand& demand, const TopologyOptions& options) {
  LOOM_CHECK(options.degree >= 1, "a device has at least one port");
  int split = options.all_reduce_degree.value_or(all_reduce_degree_by_rule(demand, options.degree));
  if (!options.all_reduce_degree && !options.directed) {
    split = std::min((split + 1) / 2 * 2, options.degree);  // a bidirectional ring takes two ports
  }
  LOOM_CHECK(split >= 0 && split <= options.degree, "rings take no more ports than there are");
  return TopologyFinder(demand, options).run(split);
}

Topology best_split(const TopologyDemand& demand, TopologyOptions options,
                    const TopologyCost& cost) {
  if (!options.known) options.known = std::make_shared<StepTable>();
  Topology best;
  double lowest = 0;
  for (int split = 0; split <= options.degree; ++split) {
    options.all_reduce_degree = split;
    Topology topology = find_topology(demand, options);
    const double here = cost(topology);
    if (split > 0 && here >= lowest) continue;
    lowest = here;
    best = std::move(topology);
  }
  return best;
}

}  // namespace loom::fabric
