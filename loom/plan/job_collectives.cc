#include "loom/plan/job_collectives.h"

#include <algorithm>

#include "loom/base/error.h"
#include "loom/base/random.h"
#include "loom/plan/rank_bound.h"

namespace loom::plan {

JobCollectives::Key JobCollectives::key(const workload::Collective& wanted,
                                        const workload::Groups& groups) const {
  std::uint64_t lie = mix(groups.members.size(),
                          static_cast<std::uint64_t>(groups.members.front() % neighborhood_));
  for (const int member : groups.members) {
    lie = mix(lie, static_cast<std::uint64_t>(member - groups.members.front()));
  }
  return {wanted.kind, wanted.size.count, groups.size, lie};
}

const AlgorithmEstimate& JobCollectives::choose(const workload::Collective& wanted,
                                                const workload::Groups& groups) {
  return known_.answer(key(wanted, groups), [&] {
    return best(wanted, simulate::moved_to_front(groups, neighborhood_));
  });
}

Duration JobCollectives::bound(const workload::Collective& wanted, const workload::Groups& groups) {
  return bounds_.answer(key(wanted, groups), [&] {
    return lowest_bound(wanted, simulate::moved_to_front(groups, neighborhood_));
  });
}

AlgorithmEstimate JobCollectives::best(const workload::Collective& wanted,
                                       const workload::Groups& groups) {
  const std::vector<AlgorithmEstimate> estimates =
      estimate_algorithms(wanted, groups, network_, &times_);
  LOOM_CHECK(!estimates.empty(), "every collective of a job has an algorithm");
  for (const AlgorithmEstimate& it : estimates) {
    if (algorithm_ && it.collective.algorithm == *algorithm_) return it;
  }
  return estimates.front();
}

Duration JobCollectives::lowest_bound(const workload::Collective& wanted,
                                      const workload::Groups& groups) const {
  const std::vector<int> ranks(groups.members.begin(), groups.members.begin() + groups.size);
  Duration lowest = kForever;
  for (const workload::Collective& it : possible_algorithms(wanted, ranks, network_)) {
    const workload::Workload workload = concurrent(it, groups, network_);
    const workload::Groups& ordered =
        workload.groups[static_cast<std::size_t>(workload.operations.front().groups)];
    const Duration bound = mean_rank_bound(it, ordered, network_);
    if (algorithm_ && it.algorithm == *algorithm_) return bound;
    lowest = std::min(lowest, bound);
  }
  return lowest;
}

}  // namespace loom::plan
