#include "loom/plan/bounds/strategy_bound.h"

#include <algorithm>

#include "loom/plan/bounds/iteration_bound.h"
#include "loom/plan/bounds/partition_bound.h"

namespace loom::plan {
namespace {

// The job before the planner chose to wait instead of overlapping: all plans may choose.
JobSpec overlapping(JobSpec spec, const Waiting& waiting) {
  if (waiting.gradients) spec.job.overlap_gradients = true;
  if (waiting.sends) spec.job.overlap_pipeline = true;
  return spec;
}

// Bounds of strategies on one network; on a fixed one, times of collectives are found only once.
class StrategyBounds {
 public:
  StrategyBounds(const JobSpec& spec, const BoundLimits& limits)
      : spec_(spec), capacity_(limits.capacity), fixed_(limits.fixed != nullptr) {
    if (!fixed_) return;
    provider_ = std::make_unique<FixedNetworkProvider>(limits.fixed, spec.algorithm);
    rank_bound_ = [this](const workload::Collective& wanted, const workload::Groups& groups) {
      return provider_->rank_bound(wanted, groups);
    };
  }

  Duration chain(const parallelize::Strategy& strategy) const {
    return chain_of_iteration(sharded(strategy), capacity_, rank_bound_);
  }
  Duration both(const parallelize::Strategy& strategy) const {
    const parallelize::ShardedModel it = sharded(strategy);
    return std::max(chain_of_iteration(it, capacity_, rank_bound_),
                    traffic_of_iteration(it, capacity_));
  }
  Duration known(const RankedStrategy& it) const { return fixed_ ? it.bound : Duration(0); }

 private:
  parallelize::ShardedModel sharded(const parallelize::Strategy& strategy) const {
    return shard(spec_.model, spec_.job, strategy, spec_.accelerator, spec_.measured);
  }

  const JobSpec& spec_;
  const Capacity& capacity_;
  const bool fixed_;
  std::unique_ptr<FixedNetworkProvider> provider_;
  RankBound rank_bound_;
};

Duration lowest_bound(const JobSpec& spec, const StrategySearch& search,
                      const StrategyBounds& bounds, int devices) {
  std::vector<const RankedStrategy*> open;
  for (const RankedStrategy& it : search.ranking) open.push_back(&it);
  std::stable_sort(open.begin(), open.end(), [&](const auto* a, const auto* b) {
    return bounds.known(*a) < bounds.known(*b);
  });
  const Duration partitioned = bound_of_any_partition(spec, devices);
  Duration lowest = kForever;
  for (const RankedStrategy* it : open) {
    if (bounds.known(*it) >= lowest) break;
    const bool uniform = it->strategy.operators == 1;
    lowest = std::min(lowest, uniform ? std::max(bounds.known(*it), bounds.both(it->strategy))
                                      : std::max(it->bound, partitioned));
  }
  return lowest;
}

}  // namespace

Duration bound_of_strategy(const JobSpec& spec, const parallelize::Strategy& strategy,
                           const BoundLimits& limits) {
  return StrategyBounds(spec, limits).both(strategy);
}

ChoiceBounds bounds_of(const TrainingChoice& choice, const BoundLimits& limits) {
  const int devices = limits.capacity.devices;
  if (choice.spec.profile || choice.search.ranking.empty()) return {};
  if (choice.search_report) return {Duration(0), bound_of_any_partition(choice.spec, devices)};
  ChoiceBounds found;
  const RankedStrategy& first = choice.search.ranking.front();
  if (choice.strategy.operators == 1) {
    const StrategyBounds bounds(choice.spec, limits);
    found.chain = std::max(bounds.known(first), bounds.chain(choice.strategy));
  }
  const JobSpec spec = overlapping(choice.spec, choice.waiting);
  found.of_all = lowest_bound(spec, choice.search, StrategyBounds(spec, limits), devices);
  if (*found.of_all == kForever) found.of_all.reset();
  return found;
}

}  // namespace loom::plan
