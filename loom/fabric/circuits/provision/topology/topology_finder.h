// TopologyFinder: which circuits for a job, once, where devices forward for each other.
//
// (TopoOpt, Wang et al., NSDI 2023, section 4.) n devices with d ports each. An all-reduce is
// mutable: any ring through its group carries the same bytes, so its rings are chosen such that
// together they bring everybody near to everybody. All other traffic is between given pairs.
//
//   split    ports for rings and ports for pairs, by the bytes of each
//   rings    each group, largest first, gets rings by its share of what its members reduce
//   pairs    rounds of matchings of most weight, a matched pair's bytes halved each time
//   joined   devices that exchange data reach each other, by a ring through all of them if need be
//   planes   the circuits as (partial) permutations, one for each port (König)
//
// The paper gives the rings of all groups one budget of ports; here every device has its own, which
// is the same where all groups have the same members and more rings where they are apart.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "loom/fabric/circuits/circuits.h"
#include "loom/fabric/circuits/provision/topology/ring_steps.h"
#include "loom/workload/demand.h"

namespace loom {

// Devices that reduce `bytes` among themselves; any ring order carries it.
struct AllReduceGroup {
  std::vector<int> members;
  Bytes bytes;
  int equivalence_class =
      -1;  // groups of the same number have as many rings; -1: whatever others have
};

// What a topology is found for: all-reduces may be reordered, the pairs may not.
struct TopologyDemand {
  int devices = 0;
  std::vector<AllReduceGroup> groups;
  Demand pairs;
};

struct TopologyOptions {
  int degree = 4;        // circuits that leave a device, and that arrive
  bool directed = true;  // false: every circuit has its opposite (+ and - rings)
  StepChoice steps = StepChoice::optimal;
  std::optional<int> all_reduce_degree = {};  // nothing: the paper's rule
  bool duplex_planes = false;  // a plane joins a device both ways to one other; not directed
  bool connect_all = false;    // also devices that exchange nothing reach each other
  std::shared_ptr<StepTable> known = {};  // choices of steps made before, where there were
};

// Rings of a group: by ring the step s; the member at position i sends to that at i + s. A group
// for which no port was left has the ring of step 1, over the circuits that there are.
struct GroupRings {
  int group = 0;
  std::vector<int> steps;
  bool own_circuits = true;  // has circuits of its own
};

struct Topology {
  Circuits circuits;              // plane = NIC
  std::vector<GroupRings> rings;  // by group; none of groups of one
  int all_reduce_degree = 0;
  int planes_needed = 0;  // more than the degree only where planes are duplex
};

// Needs 0 <= all_reduce_degree <= degree where it is given, and members that differ.
Topology find_topology(const TopologyDemand& demand, const TopologyOptions& options);

// Ports for rings by the paper's rule: max(1, ceil(d · reduced / all)), in bytes sent.
int all_reduce_degree_by_rule(const TopologyDemand& demand, int degree);

// The best of all splits by this cost; the first of several.
using TopologyCost = std::function<double(const Topology& topology)>;
Topology best_split(const TopologyDemand& demand, TopologyOptions options,
                    const TopologyCost& cost);

// What each pair sends once groups are reduced over the topology's rings.
Demand demand_over(const TopologyDemand& demand, const std::vector<GroupRings>& rings);

}  // namespace loom
