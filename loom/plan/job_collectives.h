// Chooses the algorithm of every collective of a job and predicts its time when all groups run it
// concurrently.
//
// Pipeline stages need the same collective repeatedly, so results are cached by kind, size, the
// relative positions of the group members, and the offset of the first member in its neighborhood.
// A result is computed for the groups shifted to the first neighborhood, so it does not depend on
// which stage asks first.
#pragma once

#include <optional>
#include <tuple>

#include "loom/base/cache.h"
#include "loom/plan/choose_collective.h"
#include "loom/simulate/isolated_times.h"

namespace loom::plan {

// Predicted times of collectives on a network, each with its fastest algorithm. Thread-safe.
class JobCollectives {
 public:
  // `algorithm`, if given, is used wherever it can perform the collective.
  JobCollectives(const fabric::Network& network, std::optional<workload::Algorithm> algorithm)
      : network_(network),
        algorithm_(algorithm),
        neighborhood_(simulate::neighborhood(network)),
        times_(network) {}

  const AlgorithmEstimate& choose(const workload::Collective& wanted,
                                  const workload::Groups& groups);

  // The algorithms whose predicted time is near that of the fastest, which comes first; only the
  // given algorithm, if there is one.
  std::vector<workload::Collective> alternatives(const workload::Collective& wanted,
                                                 const workload::Groups& groups);

  // Lower bound on the mean time of a rank in the collective, by whichever algorithm may be chosen
  // (rank_bound.h).
  Duration bound(const workload::Collective& wanted, const workload::Groups& groups);

  // The isolated times of all collectives estimated so far.
  simulate::IsolatedTimes& times() { return times_; }

 private:
  using Key = std::tuple<workload::CollectiveKind, std::int64_t, int, std::uint64_t>;

  Key key(const workload::Collective& wanted, const workload::Groups& groups) const;
  std::vector<AlgorithmEstimate> estimates(const workload::Collective& wanted,
                                           const workload::Groups& groups, double within);
  Duration lowest_bound(workload::Collective wanted, const workload::Groups& groups) const;

  const fabric::Network& network_;
  std::optional<workload::Algorithm> algorithm_;
  int neighborhood_ = 1;
  simulate::IsolatedTimes times_;
  Cache<Key, AlgorithmEstimate> fastest_;
  Cache<Key, std::vector<workload::Collective>> near_;  // fastest first, or only that given
  Cache<Key, Duration> bounds_;
};

}  // namespace loom::plan
