// Estimates a block of strategies, sorted by lower bound, in parallel. The result equals that of
// estimating them one after another: an estimate counts only if no earlier one rules it out.
//
// The result therefore does not depend on the number of threads. A strategy that a known earlier
// estimate rules out is skipped; with one thread, exactly the sequential estimates are computed.
#pragma once

#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "loom/plan/strategies.h"

namespace loom::plan {

// Time predicted by the analytic engine; kForever if no network can carry the job.
Duration estimate_job(const ShardedJob& job);

// Why no network can carry the job of this strategy.
std::optional<Infeasible> why_infeasible(const ShardedJob& job,
                                         const parallelize::Strategy& strategy);

class EstimateBlock {
 public:
  // Only strategies faster than `best` matter.
  EstimateBlock(std::span<RankedStrategy* const> ranked, Duration best)
      : ranked_(ranked), best_(best), estimates_(ranked.size()) {}

  void estimate(const JobSpec& spec, NetworkProvider& provider, int threads);

  // Stores the estimates that count. False if no later strategy can be the best.
  bool keep(Duration& best, StrategySearch& search);

 private:
  struct Estimate {
    Duration lower_bound{0};
    Duration predicted = kForever;
    std::optional<Infeasible> infeasible = {};
    std::exception_ptr error = {};
  };

  static Estimate estimate_one(const JobSpec& spec, const parallelize::Strategy& strategy,
                               NetworkProvider& provider, Duration limit);

  // The time to beat as far as known; never below the limit that keep() will apply.
  Duration limit_of(std::size_t place);

  std::span<RankedStrategy* const> ranked_;
  Duration best_;
  std::mutex mutex_;
  std::vector<Estimate> estimates_;
};

}  // namespace loom::plan
