#include "loom/plan/estimate_block.h"

#include <algorithm>
#include <utility>

#include "loom/base/parallel.h"

namespace loom::plan {

Duration estimate_job(const ShardedJob& job) {
  if (!job.feasible()) return kForever;
  return job.mapped.predicted ? *job.mapped.predicted : predicted_time(job.mapped);
}

std::optional<Infeasible> why_infeasible(const ShardedJob& job,
                                         const parallelize::Strategy& strategy) {
  if (job.feasible()) return std::nullopt;
  return Infeasible{to_text(strategy) + ": " + job.mapped.infeasible->why};
}

void EstimateBlock::estimate(const JobSpec& spec, NetworkProvider& provider, int threads) {
  for_each_index(ranked_.size(), threads, [&](std::size_t i) {
    const Duration limit = limit_of(i);
    if (ranked_[i]->bound >= limit) return;  // keep() passes over this strategy
    Estimate estimated = estimate_one(spec, ranked_[i]->strategy, provider, limit);
    const std::scoped_lock lock(mutex_);
    estimates_[i] = std::move(estimated);
  });
}

void EstimateBlock::keep(Duration& best, StrategySearch& search) {
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    RankedStrategy& ranked = *ranked_[i];
    const Estimate& it = estimates_[i];
    if (ranked.bound >= best) continue;
    if (it.error) std::rethrow_exception(it.error);
    ranked.bound = std::max(ranked.bound, it.lower_bound);
    if (std::max(it.lower_bound, it.laid_bound) >= best) continue;
    ranked.predicted = it.predicted;
    if (it.infeasible) search.objection = it.infeasible;
    best = std::min(best, it.predicted);
    ++search.estimated;
  }
}

// An error counts only if keep() reaches the strategy, so it is stored until then.
EstimateBlock::Estimate EstimateBlock::estimate_one(const JobSpec& spec,
                                                    const parallelize::Strategy& strategy,
                                                    NetworkProvider& provider, Duration limit) {
  Estimate estimated;
  try {
    const ShardedJob job = shard_job(spec, strategy, provider, limit);
    estimated.lower_bound = job.lower_bound;
    estimated.laid_bound = job.laid_bound;
    if (job.mapped.network || job.mapped.infeasible) {
      estimated.predicted = estimate_job(job);
      estimated.infeasible = why_infeasible(job, strategy);
    }
  } catch (...) {
    estimated.error = std::current_exception();
  }
  return estimated;
}

// keep() rejects a strategy by its lower bound or uses its predicted time, so the larger of the two
// is a valid limit in both cases.
Duration EstimateBlock::limit_of(std::size_t place) {
  const std::scoped_lock lock(mutex_);
  Duration limit = best_;
  for (std::size_t i = 0; i < place; ++i) {
    limit = std::min(limit, std::max(estimates_[i].lower_bound, estimates_[i].predicted));
  }
  return limit;
}

}  // namespace loom::plan
