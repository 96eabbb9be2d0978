// The algorithm of every collective of a job, and what it costs with all groups at it side by side.
//
// Stages of a pipeline ask for the same again and again: an answer is kept by what is wanted, by
// how the groups lie to each other, and by where in a neighbourhood of the network the first
// begins. It is that of the groups moved to the first such neighbourhood, whoever asks first.
#pragma once

#include <optional>
#include <tuple>

#include "loom/base/cache.h"
#include "loom/plan/choose_collective.h"

namespace loom {

// What collectives cost: the cheapest way for each. Many threads may ask.
class CollectiveEstimates {
 public:
  virtual ~CollectiveEstimates() = default;
  virtual const AlgorithmEstimate& choose(const Collective& wanted, const Groups& groups) = 0;
};

class JobCollectives final : public CollectiveEstimates {
 public:
  // With `algorithm` that one is taken wherever it can do the collective.
  JobCollectives(const Network& network, std::optional<Algorithm> algorithm)
      : network_(network), algorithm_(algorithm), neighbourhood_(neighbourhood(network)) {}

  const AlgorithmEstimate& choose(const Collective& wanted, const Groups& groups) override;

  // After so many devices the network looks the same again.
  static int neighbourhood(const Network& network);

 private:
  using Key = std::tuple<CollectiveKind, std::int64_t, int, std::uint64_t>;

  AlgorithmEstimate best(const Collective& wanted, const Groups& groups) const;

  const Network& network_;
  std::optional<Algorithm> algorithm_;
  int neighbourhood_ = 1;
  Cache<Key, AlgorithmEstimate> known_;
};

}  // namespace loom
