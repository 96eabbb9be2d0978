#include "loom/fabric/circuits/provision/topology/topology_demand.h"

#include <algorithm>
#include <map>

#include "loom/fabric/circuits/provision/topology/topology_edges.h"

namespace loom::fabric {

Int128 reduced_bytes(const AllReduceGroup& group) {
  const auto members = static_cast<std::int64_t>(group.members.size());
  return members < 2 ? 0 : Int128{2} * (members - 1) * group.bytes.count;
}

int all_reduce_degree_by_rule(const TopologyDemand& demand, int degree) {
  Int128 reduced = 0;
  for (const AllReduceGroup& it : demand.groups) reduced += reduced_bytes(it);
  Int128 all = reduced;
  for (const workload::PairDemand& it : demand.pairs) all += it.bytes.count;
  if (all == 0) return degree;
  return std::max(1, static_cast<int>((reduced * degree + all - 1) / all));
}

workload::Demand demand_over(const TopologyDemand& demand, const std::vector<GroupRings>& rings) {
  std::map<std::pair<int, int>, std::int64_t> bytes;
  for (const workload::PairDemand& it : demand.pairs) bytes[{it.from, it.to}] += it.bytes.count;
  for (const GroupRings& it : rings) {
    const AllReduceGroup& group = demand.groups[static_cast<std::size_t>(it.group)];
    const auto shares = Int128{group.members.size()} * it.steps.size();
    const auto each = static_cast<std::int64_t>((reduced_bytes(group) + shares - 1) / shares);
    for (const int step : it.steps) {
      for (const Edge& edge : ring_of(group.members, step)) {
        if (each > 0) bytes[{edge.from, edge.to}] += each;
      }
    }
  }
  workload::Demand all;
  for (const auto& it : bytes) all.push_back({it.first.first, it.first.second, {it.second}});
  return all;
}

}  // namespace loom::fabric
