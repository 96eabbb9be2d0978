// Chooses the fastest algorithm of each collective on circuits. The coarse engine estimates every
// candidate on circuits provisioned for that candidate and all groups that run it concurrently.
//
// The demand of all pairs scales with the collective's size, so circuits are provisioned once per
// algorithm and pattern of groups, and used for all sizes. Algorithms that need forwarding are
// considered only if no algorithm gives every pair a direct circuit.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/job_collectives.h"

namespace loom::plan {

class CircuitCollectives {
 public:
  // `algorithm`, if given, is used wherever it can perform the collective.
  CircuitCollectives(const fabric::CircuitFabric& fabric,
                     std::optional<workload::Algorithm> algorithm)
      : fabric_(fabric), algorithm_(algorithm) {}

  // Returns a predicted time of zero if no algorithm is feasible; mapping the job then reports why.
  const AlgorithmEstimate& choose(const workload::Collective& wanted,
                                  const workload::Groups& groups);

 private:
  struct ProvisionedPattern {
    workload::Collective collective;  // with a nominal size
    fabric::Network network;
  };
  using Pattern = std::tuple<workload::CollectiveKind, int,
                             std::uint64_t>;  // kind, ranks, hash of the group members
  using Key = std::pair<Pattern, std::int64_t>;

  std::vector<workload::Collective> candidates(workload::CollectiveKind kind, int ranks) const;
  std::vector<ProvisionedPattern> provisioned(const Pattern& pattern,
                                              const workload::Groups& groups) const;
  AlgorithmEstimate best(const workload::Collective& wanted, const workload::Groups& groups,
                         const Pattern& pattern);

  const fabric::CircuitFabric& fabric_;
  std::optional<workload::Algorithm> algorithm_;
  Cache<Pattern, std::vector<ProvisionedPattern>> provisioned_;
  Cache<Key, AlgorithmEstimate> known_;
};

// Candidate algorithms on circuits: all algorithms of the collective, and the hierarchical one with
// two levels of several sizes.
std::vector<workload::Collective> circuit_candidates(workload::CollectiveKind kind, int ranks);

}  // namespace loom::plan
