// The algorithm of every collective of a job, and what it costs with all groups at it side by side.
//
// Stages of a pipeline ask for the same again and again: an answer is kept by what is wanted and by
// how the groups lie, wherever the first of them begins.
#pragma once

#include <map>
#include <optional>
#include <tuple>

#include "loom/plan/choose_collective.h"

namespace loom {

class JobCollectives {
 public:
  // With `algorithm` that one is taken wherever it can do the collective.
  JobCollectives(const Network& network, std::optional<Algorithm> algorithm)
      : network_(network), algorithm_(algorithm) {}

  const PricedAlgorithm& choose(const Collective& wanted, const Groups& groups);

 private:
  using Key = std::tuple<CollectiveKind, std::int64_t, int, std::uint64_t>;

  PricedAlgorithm best(const Collective& wanted, const Groups& groups) const;

  const Network& network_;
  std::optional<Algorithm> algorithm_;
  std::map<Key, PricedAlgorithm> known_;
};

}  // namespace loom
