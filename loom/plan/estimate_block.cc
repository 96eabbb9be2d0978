#include "loom/plan/estimate_block.h"

#include <algorithm>
#include <utility>

#include "loom/base/parallel.h"

namespace loom {

Duration estimate_job(const ShardedJob& job, const Strategy& strategy, std::string& infeasible) {
  if (job.feasible()) return predicted_time(job.mapped);
  infeasible = to_text(strategy) + ": " + job.mapped.infeasible;
  return kForever;
}

void EstimateBlock::estimate(const JobSpec& spec, NetworkProvider& provider, int threads) {
  for_each_index(ranked_.size(), threads, [&](std::size_t i) {
    const Duration limit = limit_of(i);
    if (ranked_[i]->bound >= limit) return;  // keep() ends before it
    Estimate estimated = estimate_one(spec, ranked_[i]->strategy, provider, limit);
    const std::scoped_lock lock(mutex_);
    estimates_[i] = std::move(estimated);
  });
}

bool EstimateBlock::keep(Duration& best, StrategySearch& search) {
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    RankedStrategy& ranked = *ranked_[i];
    const Estimate& it = estimates_[i];
    if (ranked.bound >= best) return false;
    if (it.error) std::rethrow_exception(it.error);
    ranked.bound = std::max(ranked.bound, it.lower_bound);
    if (it.lower_bound >= best) continue;
    ranked.predicted = it.predicted;
    if (!it.infeasible.empty()) search.objection = it.infeasible;
    best = std::min(best, it.predicted);
    ++search.estimated;
  }
  return true;
}

// An error is one of the search only where it is kept: it waits until then.
EstimateBlock::Estimate EstimateBlock::estimate_one(const JobSpec& spec, const Strategy& strategy,
                                                    NetworkProvider& provider, Duration limit) {
  Estimate estimated;
  try {
    const ShardedJob job = shard_job(spec, strategy, provider, limit);
    estimated.lower_bound = job.lower_bound;
    if (job.lower_bound < limit)
      estimated.predicted = estimate_job(job, strategy, estimated.infeasible);
  } catch (...) {
    estimated.error = std::current_exception();
  }
  return estimated;
}

// Whether a price counts is decided by its `least` too: the larger of both rules out in any case.
Duration EstimateBlock::limit_of(std::size_t place) {
  const std::scoped_lock lock(mutex_);
  Duration limit = best_;
  for (std::size_t i = 0; i < place; ++i) {
    limit = std::min(limit, std::max(estimates_[i].lower_bound, estimates_[i].predicted));
  }
  return limit;
}

}  // namespace loom
