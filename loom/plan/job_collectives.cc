#include "loom/plan/job_collectives.h"

#include "loom/base/error.h"
#include "loom/base/random.h"

namespace loom::plan {
const AlgorithmEstimate& JobCollectives::choose(const workload::Collective& wanted,
                                                const workload::Groups& groups) {
  std::uint64_t lie = mix(groups.members.size(),
                          static_cast<std::uint64_t>(groups.members.front() % neighborhood_));
  for (const int member : groups.members) {
    lie = mix(lie, static_cast<std::uint64_t>(member - groups.members.front()));
  }
  const Key key = {wanted.kind, wanted.size.count, groups.size, lie};
  return known_.answer(
      key, [&] { return best(wanted, simulate::moved_to_front(groups, neighborhood_)); });
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

}  // namespace loom::plan
