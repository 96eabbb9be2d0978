#include "loom/plan/circuits/ring_order.h"

#include <algorithm>
#include <map>
#include <set>

namespace loom::plan {
namespace {

bool follows_ring(const workload::Collective& collective) {
  return collective.algorithm == workload::Algorithm::ring ||
         collective.algorithm == workload::Algorithm::bidirectional_ring ||
         collective.algorithm == workload::Algorithm::line;
}

workload::Groups ordered(workload::Groups groups, const std::vector<int>& place) {
  const auto nearer = [&](int a, int b) {
    return place[static_cast<std::size_t>(a)] < place[static_cast<std::size_t>(b)];
  };
  for (auto begin = groups.members.begin(); begin != groups.members.end(); begin += groups.size) {
    const int first = *begin;
    std::sort(begin, begin + groups.size, nearer);
    std::rotate(begin, std::find(begin, begin + groups.size, first), begin + groups.size);
  }
  return groups;
}

}  // namespace

workload::Workload with_ring_order(workload::Workload workload, const fabric::Network& network) {
  if (network.ring_order.empty()) return workload;
  std::vector<int> place(network.ring_order.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    place[static_cast<std::size_t>(network.ring_order[i])] = static_cast<int>(i);
  }
  const auto in_ring = [&](const workload::Operation& it) {
    return it.kind == workload::OperationKind::collective &&
           follows_ring(workload.collectives[static_cast<std::size_t>(it.collective)]);
  };
  std::set<int> others;  // groups that also run other operations
  for (const workload::Operation& it : workload.operations) {
    if (it.groups >= 0 && !in_ring(it)) others.insert(it.groups);
  }
  std::map<int, int> round;  // index of the reordered groups, per index of the groups
  for (workload::Operation& it : workload.operations) {
    if (!in_ring(it)) continue;
    const auto known = round.try_emplace(it.groups, it.groups);
    if (known.second) {
      workload::Groups groups =
          ordered(workload.groups[static_cast<std::size_t>(it.groups)], place);
      if (others.count(it.groups) > 0) {
        known.first->second = static_cast<int>(workload.groups.size());
        workload.groups.push_back(std::move(groups));
      } else {
        workload.groups[static_cast<std::size_t>(it.groups)] = std::move(groups);
      }
    }
    it.groups = known.first->second;
  }
  return workload;
}

}  // namespace loom::plan
