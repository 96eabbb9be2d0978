// TopologyFinder: finds static circuits for one job, whose devices forward traffic for each other
// (TopoOpt, Wang et al., NSDI 2023, section 4).
//
// There are n devices with d ports each. All-reduce traffic is mutable: any ring through the group
// carries the same bytes, so rings are chosen that together give short paths between all members.
// All other traffic is between fixed pairs. The paper gives the rings of all groups one common
// budget of ports; here every device has a budget of its own, which allows more rings if groups are
// disjoint.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/circuits/provision/topology/ring_steps.h"
#include "loom/workload/demand.h"

namespace loom::fabric {

// Devices that all-reduce a buffer of `bytes`, over rings in any order.
struct AllReduceGroup {
  std::vector<int> members;
  Bytes bytes;
  int equivalence_class = -1;  // groups of one class get the same number of rings; -1: no class
};

// Input of the search: all-reduces, which may use rings in any order, and the demand of fixed
// pairs.
struct TopologyDemand {
  int devices = 0;
  std::vector<AllReduceGroup> groups;
  workload::Demand pairs;
};

struct TopologyOptions {
  int degree = 4;        // circuits out of and into each device
  bool directed = true;  // false: every circuit has its reverse (+ and - rings)
  StepChoice steps = StepChoice::optimal;
  std::optional<int> all_reduce_degree = {};  // ports for rings; nullopt: the paper's rule
  bool duplex_planes = false;  // a plane connects pairs in both directions; needs directed = false
  bool connect_all = false;    // also connects devices that exchange no data
  std::shared_ptr<StepTable> known = {};  // optional cache of step choices
};

// Rings of a group, one step s per ring: the member at position i sends to the member at position i
// + s. A group for which no port was left has the ring of step 1, over existing circuits.
struct GroupRings {
  int group = 0;
  std::vector<int> steps;
  bool own_circuits = true;  // whether the rings have circuits of their own
};

struct Topology {
  Circuits circuits;              // the plane of a circuit is the number of its NIC
  std::vector<GroupRings> rings;  // sorted by group; groups of one member have none
  int all_reduce_degree = 0;
  int planes_needed = 0;  // exceeds the degree only with duplex planes
};

// Finds the circuits in six steps:
//   split    divides the ports between rings and pairs, by the bytes of each
//   rings    gives each group, largest first, rings by its share of its members' all-reduce bytes
//   pairs    max-weight matchings in rounds; the bytes of a matched pair are halved each time
//   fill     adds further rings on the remaining ports
//   connect  ensures that communicating devices reach each other, by a ring through them if needed
//   planes   decomposes the circuits into (partial) permutations, one per port (König)
// Needs 0 <= all_reduce_degree <= degree if given, and groups without duplicate members.
Topology find_topology(const TopologyDemand& demand, const TopologyOptions& options);

// Number of ports for rings by the paper's rule: max(1, ceil(d · all-reduce bytes / all bytes));
// all d ports if there is no demand.
int all_reduce_degree_by_rule(const TopologyDemand& demand, int degree);

// The topology of min cost over all splits of the ports between rings and pairs; of equally good
// splits, the one with the fewest ports for rings.
using TopologyCost = std::function<double(const Topology& topology)>;
Topology best_split(const TopologyDemand& demand, TopologyOptions options,
                    const TopologyCost& cost);

// Bytes that each pair sends if groups are all-reduced over these rings.
workload::Demand demand_over(const TopologyDemand& demand, const std::vector<GroupRings>& rings);

}  // namespace loom::fabric
