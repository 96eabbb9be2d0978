#include "loom/plan/priced_block.h"

#include <algorithm>
#include <utility>

#include "loom/base/parallel.h"

namespace loom {

Duration price_job(const ShardedJob& job, const Strategy& strategy, std::string& infeasible) {
  if (job.feasible()) return predicted_time(job.mapped);
  infeasible = to_text(strategy) + ": " + job.mapped.infeasible;
  return kForever;
}

void PricedBlock::price(const JobSpec& spec, NetworkProvider& provider, int threads) {
  for_each_index(ranked_.size(), threads, [&](std::size_t i) {
    const Duration limit = limit_of(i);
    if (ranked_[i]->bound >= limit) return;  // keep() ends before it
    Price priced = price_one(spec, ranked_[i]->strategy, provider, limit);
    const std::scoped_lock lock(mutex_);
    prices_[i] = std::move(priced);
  });
}

bool PricedBlock::keep(Duration& best, StrategySearch& search) {
  for (std::size_t i = 0; i < ranked_.size(); ++i) {
    RankedStrategy& ranked = *ranked_[i];
    const Price& it = prices_[i];
    if (ranked.bound >= best) return false;
    if (it.error) std::rethrow_exception(it.error);
    ranked.bound = std::max(ranked.bound, it.least);
    if (it.least >= best) continue;
    ranked.predicted = it.predicted;
    if (!it.infeasible.empty()) search.objection = it.infeasible;
    best = std::min(best, it.predicted);
    ++search.priced;
  }
  return true;
}

// An error is one of the search only where it is kept: it waits until then.
PricedBlock::Price PricedBlock::price_one(const JobSpec& spec, const Strategy& strategy,
                                          NetworkProvider& provider, Duration limit) {
  Price priced;
  try {
    const ShardedJob job = shard_job(spec, strategy, provider, limit);
    priced.least = job.least;
    if (job.least < limit) priced.predicted = price_job(job, strategy, priced.infeasible);
  } catch (...) {
    priced.error = std::current_exception();
  }
  return priced;
}

// Whether a price counts is decided by its `least` too: the larger of both rules out in any case.
Duration PricedBlock::limit_of(std::size_t place) {
  const std::scoped_lock lock(mutex_);
  Duration limit = best_;
  for (std::size_t i = 0; i < place; ++i) {
    limit = std::min(limit, std::max(prices_[i].least, prices_[i].predicted));
  }
  return limit;
}

}  // namespace loom
