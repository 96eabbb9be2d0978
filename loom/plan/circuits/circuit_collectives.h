// Chooses the algorithm of each collective on circuits: every candidate is simulated with circuits
// provisioned only for it and for the groups that run it at the same time; the fastest is chosen.
//
// The demand of all pairs scales with the collective's size, so circuits are provisioned once per
// pattern of groups and algorithm, and used for all sizes. If some algorithm gives every pair a
// direct circuit, those that need forwarding are left out; without let_forward() they always are.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/job_collectives.h"

namespace loom::plan {

class CircuitCollectives final : public CollectiveEstimates {
 public:
  // With `algorithm`, that one is used wherever it supports the collective.
  CircuitCollectives(const fabric::CircuitFabric& fabric,
                     std::optional<workload::Algorithm> algorithm)
      : fabric_(fabric), algorithm_(algorithm) {}

  // An infeasible collective is estimated as zero; the job reports that it is infeasible.
  const AlgorithmEstimate& choose(const workload::Collective& wanted,
                                  const workload::Groups& groups) override;

  void let_forward();

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
  bool forwards_ = false;
  Cache<Pattern, std::vector<ProvisionedPattern>> provisioned_;
  Cache<Key, AlgorithmEstimate> known_;
};

// Candidate algorithms on circuits: every algorithm, the hierarchical one with two levels of
// several sizes.
std::vector<workload::Collective> circuit_candidates(workload::CollectiveKind kind, int ranks);

}  // namespace loom::plan
