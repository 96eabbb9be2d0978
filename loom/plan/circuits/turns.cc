#include "loom/plan/circuits/turns.h"

#include <map>
#include <utility>
#include <vector>

#include "loom/plan/rank_bound.h"
#include "loom/workload/demand.h"

namespace loom::plan {
namespace {

// Collectives of one kind and number of ranks are one kind of communication, all messages another.
std::vector<int> kinds_of_operations(const workload::Workload& workload, int& kinds) {
  using Kind = std::pair<workload::CollectiveKind, int>;
  std::map<Kind, int> known;
  std::vector<int> kind_of;
  for (const workload::Operation& it : workload.operations) {
    int& kind = kind_of.emplace_back(-1);
    if (it.kind == workload::OperationKind::compute) continue;
    Kind here{workload::CollectiveKind::point_to_point, 0};
    if (it.kind == workload::OperationKind::collective) {
      here = {workload.collectives[static_cast<std::size_t>(it.collective)].kind,
              workload.groups[static_cast<std::size_t>(it.groups)].size};
    }
    kind = known.try_emplace(here, static_cast<int>(known.size())).first->second;
  }
  kinds = static_cast<int>(known.size());
  return kind_of;
}

}  // namespace

Duration time_in_turns(const workload::Workload& workload, const fabric::Network& network) {
  int kinds = 0;
  const std::vector<int> kind_of = kinds_of_operations(workload, kinds);
  Duration sum{0};
  for (int kind = 0; kind < kinds; ++kind) {
    const workload::Demand demand =
        demand_of(workload, [&](std::size_t o) { return kind_of[o] == kind; });
    sum = add(sum, busiest_link_bound(network, demand));
  }
  return sum;
}

}  // namespace loom::plan
