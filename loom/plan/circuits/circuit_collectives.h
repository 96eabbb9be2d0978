// The algorithm of a job's collective over circuits: each that fits is priced with all circuits to
// itself, lit for it and the groups that do it side by side; the cheapest is taken.
//
// What a pair needs of circuits grows with the size alike for all pairs, so circuits are lit once
// for every pattern of groups and algorithm, and used for all sizes. Where some algorithm gives
// every pair a circuit of its own, those that need forwarding are left out; so are all that do,
// unless devices may forward.
#pragma once

#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/job_collectives.h"

namespace loom {

class CircuitCollectives final : public CollectiveEstimates {
 public:
  // With `algorithm` that one is taken wherever it can do the collective.
  CircuitCollectives(const CircuitFabric& fabric, std::optional<Algorithm> algorithm)
      : fabric_(fabric), algorithm_(algorithm) {}

  // What cannot be carried costs nothing here; the job says that it cannot.
  const AlgorithmEstimate& choose(const Collective& wanted, const Groups& groups) override;

  void let_forward();

 private:
  struct ProvisionedPattern {
    Collective collective;  // of a nominal size
    Network network;
  };
  using Pattern = std::tuple<CollectiveKind, int, std::uint64_t>;  // kind, ranks, lie of groups
  using Key = std::pair<Pattern, std::int64_t>;

  std::vector<Collective> candidates(CollectiveKind kind, int ranks) const;
  std::vector<ProvisionedPattern> provisioned(const Pattern& pattern, const Groups& groups) const;
  AlgorithmEstimate best(const Collective& wanted, const Groups& groups, const Pattern& pattern);

  const CircuitFabric& fabric_;
  std::optional<Algorithm> algorithm_;
  bool forwards_ = false;
  Cache<Pattern, std::vector<ProvisionedPattern>> provisioned_;
  Cache<Key, AlgorithmEstimate> known_;
};

// Ways to do it over circuits: every algorithm, hierarchical with two levels of several shapes.
std::vector<Collective> circuit_candidates(CollectiveKind kind, int ranks);

}  // namespace loom
