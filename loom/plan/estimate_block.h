// Estimates a block of strategies in parallel.
//
// The result equals that of a sequential search and does not depend on the number of threads: an
// estimate counts only if no earlier estimate rules its strategy out. A strategy that is already
// ruled out is not estimated; with one thread, exactly the sequential estimates are computed.
#pragma once

#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "loom/plan/strategies.h"

namespace loom::plan {

// Time predicted by the coarse engine; kForever if no network carries the job.
Duration estimate_job(const ShardedJob& job);

// Returns why no network can carry the job with this strategy; no value if one can.
std::optional<Infeasible> why_infeasible(const ShardedJob& job,
                                         const parallelize::Strategy& strategy);

class EstimateBlock {
 public:
  // Only strategies faster than `best`, the best predicted time so far, matter.
  EstimateBlock(std::span<RankedStrategy* const> ranked, Duration best)
      : ranked_(ranked), best_(best), estimates_(ranked.size()) {}

  void estimate(const JobSpec& spec, NetworkProvider& provider, int threads);

  // Stores the estimates that count.
  void keep(Duration& best, StrategySearch& search);

 private:
  struct Estimate {
    Duration lower_bound{0};
    Duration laid_bound{0};
    Duration predicted = kForever;
    std::optional<Infeasible> infeasible = {};
    std::exception_ptr error = {};
  };

  static Estimate estimate_one(const JobSpec& spec, const parallelize::Strategy& strategy,
                               NetworkProvider& provider, Duration limit);

  // The time that the strategy at `place` must beat, given the estimates known so far. Never below
  // the limit that keep() will apply.
  Duration limit_of(std::size_t place);

  std::span<RankedStrategy* const> ranked_;
  Duration best_;
  std::mutex mutex_;
  std::vector<Estimate> estimates_;
};

}  // namespace loom::plan
