// Strategies in the order of their bounds that are priced side by side, and kept as if each had
// waited for those before it: a price counts only where the prices before it leave it a chance.
//
// So what is kept does not depend on how many threads there are. A strategy that a price before it
// already rules out is passed over; with one thread those are all that one after another would.
#pragma once

#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "loom/plan/strategies.h"

namespace loom {

// By the analytic engine; kForever where the job cannot be carried, and why.
Duration estimate_job(const ShardedJob& job, const Strategy& strategy, std::string& infeasible);

class EstimateBlock {
 public:
  // Of interest is what takes less than `best`.
  EstimateBlock(std::span<RankedStrategy* const> ranked, Duration best)
      : ranked_(ranked), best_(best), estimates_(ranked.size()) {}

  void estimate(const JobSpec& spec, NetworkProvider& provider, int threads);

  // Writes the prices that count. False where nothing from there on can be the best.
  bool keep(Duration& best, StrategySearch& search);

 private:
  struct Estimate {
    Duration lower_bound{0};
    Duration predicted = kForever;
    std::string infeasible = {};
    std::exception_ptr error = {};
  };

  static Estimate estimate_one(const JobSpec& spec, const Strategy& strategy,
                               NetworkProvider& provider, Duration limit);

  // What it has to beat as far as is known by now; not less than when it is kept.
  Duration limit_of(std::size_t place);

  std::span<RankedStrategy* const> ranked_;
  Duration best_;
  std::mutex mutex_;
  std::vector<Estimate> estimates_;
};

}  // namespace loom
