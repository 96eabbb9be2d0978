#include "loom/plan/circuits/provision_workload.h"

#include <algorithm>
#include <map>

#include "loom/fabric/circuits/topology_network.h"
#include "loom/plan/circuits/circuit_layouts.h"
#include "loom/plan/circuits/improve_circuits.h"
#include "loom/plan/circuits/provision_demand.h"
#include "loom/simulate/engine.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

// Size of the all-reduce that sends as many bytes: a reduce-scatter or all-gather is half of one.
Bytes reduced(const workload::Collective& collective) {
  if (collective.kind == workload::CollectiveKind::all_reduce) return collective.size;
  return {(collective.size.count + 1) / 2};
}

bool is_mutable(const workload::Workload& workload, std::size_t operation) {
  const workload::Operation& it = workload.operations[operation];
  return it.kind == workload::OperationKind::collective &&
         plan::is_mutable(workload.collectives[static_cast<std::size_t>(it.collective)],
                          workload.groups[static_cast<std::size_t>(it.groups)].size);
}

workload::Collective by_ring(workload::Collective collective) {
  collective.algorithm = workload::Algorithm::ring;
  collective.steps.clear();
  return collective;
}

// Adds the groups of one entry, which are equivalent.
void add_groups(const workload::Groups& groups, fabric::TopologyDemand& demand) {
  const int equivalence_class = static_cast<int>(demand.groups.size());
  for (int g = 0; g < groups.count(); ++g) {
    fabric::AllReduceGroup group;
    for (int rank = 0; rank < groups.size; ++rank) group.members.push_back(groups.device(g, rank));
    group.equivalence_class = equivalence_class;
    demand.groups.push_back(std::move(group));
  }
}

}  // namespace

bool is_mutable(const workload::Collective& collective, int ranks) {
  using enum workload::CollectiveKind;
  const bool reorders = collective.kind == all_reduce || collective.kind == reduce_scatter ||
                        collective.kind == all_gather;
  const bool by_ring = collective.algorithm == workload::Algorithm::ring ||
                       collective.algorithm == workload::Algorithm::rings;
  return reorders && by_ring && ranks > 1;
}

MutableTraffic mutable_traffic(const workload::Workload& workload) {
  MutableTraffic traffic;
  traffic.demand.devices = workload.devices;
  traffic.first_group.assign(workload.groups.size(), -1);
  std::map<std::pair<int, std::vector<int>>, int> known;  // first demand group of identical groups
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    if (!is_mutable(workload, o)) continue;
    const workload::Operation& it = workload.operations[o];
    const workload::Groups& groups = workload.groups[static_cast<std::size_t>(it.groups)];
    int& first = traffic.first_group[static_cast<std::size_t>(it.groups)];
    if (first < 0) {
      const auto [at, is_new] = known.try_emplace({groups.size, groups.members},
                                                  static_cast<int>(traffic.demand.groups.size()));
      if (is_new) add_groups(groups, traffic.demand);
      first = at->second;
    }
    const Bytes bytes = reduced(workload.collectives[static_cast<std::size_t>(it.collective)]);
    for (int g = 0; g < groups.count(); ++g) {
      traffic.demand.groups[static_cast<std::size_t>(first) + static_cast<std::size_t>(g)].bytes +=
          bytes;
    }
  }
  traffic.demand.pairs =
      demand_of(workload, [&](std::size_t operation) { return !is_mutable(workload, operation); });
  return traffic;
}

void put_on_rings(const MutableTraffic& traffic, const std::vector<fabric::GroupRings>& rings,
                  workload::Workload& workload) {
  std::map<int, const fabric::GroupRings*> of_group;
  for (const fabric::GroupRings& it : rings) of_group[it.group] = &it;
  const std::vector<workload::Collective> before = workload.collectives;
  std::vector<bool> replaced(before.size(), false);
  std::map<std::pair<int, int>, int> done;  // new collective index, by collective and first group
  for (std::size_t o = 0; o < workload.operations.size(); ++o) {
    workload::Operation& it = workload.operations[o];
    if (it.kind != workload::OperationKind::collective ||
        it.collective >= static_cast<int>(before.size())) {
      continue;
    }
    const auto c = static_cast<std::size_t>(it.collective);
    const int first = traffic.first_group[static_cast<std::size_t>(it.groups)];
    if (first < 0 || !is_mutable(before[c], 2)) continue;
    // The first groups to use a collective keep its index.
    const int place = replaced[c] ? static_cast<int>(workload.collectives.size()) : it.collective;
    const auto [at, is_new] = done.try_emplace({it.collective, first}, place);
    if (is_new) {
      if (replaced[c]) workload.collectives.push_back(before[c]);
      replaced[c] = true;
      workload::Collective& now = workload.collectives[static_cast<std::size_t>(place)];
      now.steps = of_group.at(first)->steps;
      now.algorithm = workload::Algorithm::rings;
      if (now.steps == std::vector<int>{1}) now = by_ring(before[c]);
    }
    it.collective = at->second;
  }
}

namespace {

constexpr int kMaxExchanges = 4'000;

struct LaidWorkload {
  workload::Workload workload;
  CircuitLayout layout;
  Duration time{0};
};

LaidWorkload laid(const workload::Workload& workload, const CircuitLayout& layout) {
  LaidWorkload it{on_layout(workload, layout), layout};
  if (!layout.infeasible) {
    it.time = simulate::simulate_coarse(it.workload, *layout.network, {}).completion_time;
  }
  return it;
}

// The circuits with which the coarse engine predicts the shortest time.
fabric::CircuitSetup best_setup(const fabric::CircuitFabric& fabric, workload::Workload& workload) {
  const CircuitLayouts layouts(fabric, LayoutEffort::thorough);
  std::vector<LaidWorkload> all;
  for (const auto& layout : layouts.of(workload)) {
    if (!all.empty() && layout->busiest >= all.front().time) break;
    LaidWorkload it = laid(workload, *layout);
    const bool first = all.empty() || it.time < all.front().time;
    all.insert(first ? all.begin() : all.end(), std::move(it));
  }
  int budget = kMaxExchanges;
  for (LaidWorkload& it : all) {
    it.time = improve_circuits(fabric, it.workload, it.time, budget, it.layout);
  }
  LaidWorkload& best = *std::min_element(
      all.begin(), all.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  workload = std::move(best.workload);
  return {std::move(best.layout.provisioned), *best.layout.network,
          std::move(best.layout.infeasible)};
}

}  // namespace

fabric::CircuitSetup provision_workload(const fabric::CircuitFabric& fabric,
                                        workload::Workload& workload) {
  if (fabric.finder) return best_setup(fabric, workload);
  if (!fabric.topology) return provision_demand(fabric, demand_of(workload));
  MutableTraffic traffic = mutable_traffic(workload);
  traffic.demand.devices = fabric.devices();
  fabric::TopologySetup found = provision_topology(fabric, traffic.demand);
  put_on_rings(traffic, found.topology.rings, workload);
  return std::move(found.setup);
}

}  // namespace loom::plan
