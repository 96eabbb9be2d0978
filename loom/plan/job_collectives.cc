#include "loom/plan/job_collectives.h"

#include <algorithm>
#include <limits>

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
  return fastest_.answer(key(wanted, groups), [&] { return estimates(wanted, groups, 1).front(); });
}

std::vector<workload::Collective> JobCollectives::alternatives(const workload::Collective& wanted,
                                                               const workload::Groups& groups) {
  constexpr double kNear = 1.5;
  return near_.answer(key(wanted, groups), [&] {
    std::vector<workload::Collective> near;
    const std::vector<AlgorithmEstimate> all = estimates(wanted, groups, kNear);
    for (const AlgorithmEstimate& it : all) {
      if (seconds(it.predicted) > kNear * seconds(all.front().predicted)) break;
      near.push_back(it.collective);
    }
    return near;
  });
}

// The algorithms that take up to `within` times as long as the fastest, and maybe others; only the
// given algorithm, if there is one. Fastest first.
std::vector<AlgorithmEstimate> JobCollectives::estimates(const workload::Collective& wanted,
                                                         const workload::Groups& groups,
                                                         double within) {
  if (algorithm_) within = std::numeric_limits<double>::infinity();
  workload::Collective any = wanted;
  any.chunks = kAnyChunks;
  std::vector<AlgorithmEstimate> all = estimate_algorithms(
      any, simulate::moved_to_front(groups, neighborhood_), network_, times_, within);
  LOOM_CHECK(!all.empty(), "every collective of a job has an algorithm");
  const auto given = std::find_if(all.begin(), all.end(), [&](const AlgorithmEstimate& it) {
    return algorithm_ && it.collective.algorithm == *algorithm_;
  });
  return given == all.end() ? all : std::vector{*given};
}

Duration JobCollectives::bound(const workload::Collective& wanted, const workload::Groups& groups) {
  return bounds_.answer(key(wanted, groups), [&] {
    return lowest_bound(wanted, simulate::moved_to_front(groups, neighborhood_));
  });
}

Duration JobCollectives::lowest_bound(workload::Collective wanted,
                                      const workload::Groups& groups) const {
  wanted.chunks = kAnyChunks;
  const std::vector<int> ranks(groups.members.begin(), groups.members.begin() + groups.size);
  Duration lowest = kForever;
  Duration given = kForever;  // by the given algorithm
  for (const workload::Collective& it : possible_algorithms(wanted, ranks, network_)) {
    const workload::Workload workload = concurrent(it, groups, network_);
    const workload::Groups& ordered =
        workload.groups[static_cast<std::size_t>(workload.operations.front().groups)];
    const Duration bound = mean_rank_bound(it, ordered, network_);
    if (algorithm_ && it.algorithm == *algorithm_) given = std::min(given, bound);
    lowest = std::min(lowest, bound);
  }
  return given < kForever ? given : lowest;
}

}  // namespace loom::plan
