#include "loom/plan/strategies.h"

#include <algorithm>
#include <map>
#include <set>

#include "loom/base/parallel.h"
#include "loom/plan/bound_strategy.h"
#include "loom/plan/estimate_block.h"
#include "loom/plan/promising.h"

namespace loom::plan {
namespace {

// Lower bound on the iteration time: no device computes faster than its peak, unless its times were
// measured.
Duration bound_of_flops(const JobSpec& spec, int devices) {
  if (spec.profile || !spec.measured.empty()) return Duration(0);
  const auto peak = static_cast<double>(
      spec.accelerator.peak[static_cast<std::size_t>(spec.job.precision)].per_second);
  const double flops = static_cast<double>(spec.model.training_flops()) *
                       static_cast<double>(spec.job.batch) / devices;
  return Duration(static_cast<std::int64_t>(flops / peak * 1e12));
}

// A strategy with its lower bound. If it partitions operators individually, it also has its
// estimate, because its memory use is known only after placement.
struct Weighed {
  RankedStrategy ranked;
  std::optional<Infeasible> infeasible = {};  // why no network can carry the job
};

bool by_operators(const JobSpec& spec, const parallelize::Strategy& strategy) {
  return spec.profile || strategy.operators > 1;
}

Weighed weigh_one(const JobSpec& spec, const parallelize::Strategy& strategy,
                  NetworkProvider& provider) {
  Weighed weighed{{strategy, {}, {}, {}, {}}};
  RankedStrategy& ranked = weighed.ranked;
  if (by_operators(spec, strategy)) {
    const ShardedJob job = shard_job(spec, strategy, provider);
    ranked.memory = job.peak_memory();
    ranked.bound = bound_of_flops(spec, strategy.devices());
    ranked.predicted = estimate_job(job);
    weighed.infeasible = why_infeasible(job, strategy);
    return weighed;
  }
  const parallelize::ShardedModel sharded =
      shard(spec.model, spec.job, strategy, spec.accelerator, spec.measured);
  for (const parallelize::StageMemory& it : sharded.memory)
    ranked.memory = std::max(ranked.memory, it.total());
  if (ranked.memory <= spec.accelerator.usable_memory()) {
    ranked.bound = bound_strategy(sharded, provider);
  }
  return weighed;
}

void keep(const JobSpec& spec, const Weighed& weighed, StrategySearch& search) {
  const RankedStrategy& ranked = weighed.ranked;
  if (by_operators(spec, ranked.strategy)) {
    ++search.estimated;
    if (weighed.infeasible) search.objection = weighed.infeasible;
    if (ranked.predicted == kForever) return;
  } else if (ranked.memory > spec.accelerator.usable_memory()) {
    if (!search.smallest || ranked.memory < search.smallest->memory) search.smallest = ranked;
    return;
  }
  search.ranking.push_back(ranked);
}

// Number of strategies processed in parallel before their results are stored in order: more than
// most machines have cores. The result of the search does not depend on it.
constexpr std::size_t kBlock = 64;

void tell(const SearchOptions& options, std::size_t done, std::size_t all) {
  if (options.progress) options.progress(static_cast<double>(done) / static_cast<double>(all));
}

// Returns the strategies that fit in memory, sorted by lower bound. Only strategies that partition
// operators individually have estimates yet.
StrategySearch weigh(const JobSpec& spec, NetworkProvider& provider, const SearchOptions& options) {
  PossibleStrategies possible = possible_strategies(spec, provider.devices());
  const std::vector<parallelize::Strategy>& all = possible.all;
  StrategySearch search;
  search.objection = std::move(possible.objection);
  search.possible = all.size();
  for (std::size_t first = 0; first < all.size(); first += kBlock) {
    tell(options, first, all.size());
    std::vector<Weighed> block(std::min(kBlock, all.size() - first));
    for_each_index(block.size(), options.threads,
                   [&](std::size_t i) { block[i] = weigh_one(spec, all[first + i], provider); });
    for (const Weighed& it : block) keep(spec, it, search);
  }
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
  return search;
}

std::vector<RankedStrategy*> without_estimate(StrategySearch& search) {
  std::vector<RankedStrategy*> open;
  for (RankedStrategy& it : search.ranking) {
    if (it.predicted.count() == 0) open.push_back(&it);
  }
  return open;
}

// Estimates these strategies, except those that an earlier one rules out.
void estimate(const JobSpec& spec, NetworkProvider& provider, const SearchOptions& options,
              std::span<RankedStrategy* const> open, Duration& best, StrategySearch& search) {
  for (std::size_t first = 0; first < open.size(); first += kBlock) {
    tell(options, first, open.size());
    EstimateBlock block(open.subspan(first, std::min(kBlock, open.size() - first)), best);
    block.estimate(spec, provider, options.threads);
    block.keep(best, search);
  }
}

// Estimates the strategies that may be faster than `limit` and than the best so far, and sorts the
// ranking.
void estimate_ranking(const JobSpec& spec, NetworkProvider& provider, const SearchOptions& options,
                      Duration limit, StrategySearch& search) {
  Duration best = limit;
  for (const RankedStrategy& it : search.ranking) {
    if (it.predicted.count() > 0) best = std::min(best, it.predicted);
  }
  if (provider.provisions()) {
    PromisingStrategies promising(spec, provider, options.threads);
    for (auto next = promising.next(search.ranking, best); !next.empty();
         next = promising.next(search.ranking, best)) {
      estimate(spec, provider, options, next, best, search);
    }
  } else {
    estimate(spec, provider, options, without_estimate(search), best, search);
  }
  std::erase_if(search.ranking, [](const RankedStrategy& it) { return it.predicted == kForever; });
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

SearchOptions progress_slice(const SearchOptions& options, double from, double to) {
  SearchOptions slice = options;
  if (!options.progress) return slice;
  slice.progress = [=](double done) { options.progress(from + (to - from) * done); };
  return slice;
}

StrategySearch search_once(const JobSpec& spec, NetworkProvider& provider,
                           const SearchOptions& options) {
  StrategySearch search = weigh(spec, provider, progress_slice(options, 0, 0.5));
  estimate_ranking(spec, provider, progress_slice(options, 0.5, 1), kForever, search);
  return search;
}

// A time that no strategy beats, by its estimate if it has one, else by its bound.
Duration min_time(const StrategySearch& search) {
  Duration lowest = kForever;
  for (const RankedStrategy& it : search.ranking) {
    lowest = std::min(lowest, it.predicted.count() > 0 ? it.predicted : it.bound);
  }
  return lowest;
}

struct BatchSearch {
  std::int64_t batch = 1;
  std::int64_t iterations = 1;
  StrategySearch search;
  Int128 bound = 0;  // lower bound on the time of a complete training run, in picoseconds
};

// Candidate batch sizes: powers of two, and powers of two times the number of devices.
std::vector<std::int64_t> batch_sizes(int devices) {
  constexpr std::int64_t kLargest = 65'536;
  std::set<std::int64_t> sizes;
  for (const std::int64_t first : {std::int64_t{1}, std::int64_t{devices}}) {
    for (std::int64_t it = first; it <= kLargest; it *= 2) sizes.insert(it);
  }
  return {sizes.begin(), sizes.end()};
}

// Returns all candidate batch sizes, sorted by lower bound on the training time.
std::vector<BatchSearch> weigh_batches(JobSpec spec, NetworkProvider& provider,
                                       const SearchOptions& options) {
  const std::vector<std::int64_t> sizes = batch_sizes(provider.devices());
  std::vector<BatchSearch> batches(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    BatchSearch& it = batches[i];
    it.batch = spec.job.batch = sizes[i];
    it.iterations = iterations_to_accuracy(*spec.law, it.batch);
    const auto slice = 1 / static_cast<double>(sizes.size());
    it.search = weigh(spec, provider,
                      progress_slice(options, static_cast<double>(i) * slice,
                                     static_cast<double>(i + 1) * slice));
    it.bound = Int128{min_time(it.search).count()} * it.iterations;
  }
  std::stable_sort(batches.begin(), batches.end(),
                   [](const BatchSearch& a, const BatchSearch& b) { return a.bound < b.bound; });
  return batches;
}

// Stores the best batch in `spec`. If no batch is feasible, returns the search of the first batch,
// which says why.
StrategySearch search_batches_once(JobSpec& spec, NetworkProvider& provider,
                                   const SearchOptions& options) {
  std::vector<BatchSearch> batches = weigh_batches(spec, provider, progress_slice(options, 0, 0.5));
  BatchSearch* best = &batches.front();
  Int128 lowest = Int128{1} << 126;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    BatchSearch& it = batches[i];
    tell(progress_slice(options, 0.5, 1), i, batches.size());
    if (it.bound >= lowest) continue;
    spec.job.batch = it.batch;
    const Int128 limit = std::min<Int128>(kForever.count(), lowest / it.iterations);
    estimate_ranking(spec, provider, {options.threads}, Duration(static_cast<std::int64_t>(limit)),
                     it.search);
    if (it.search.ranking.empty() || it.search.ranking.front().predicted.count() == 0) continue;
    const Int128 whole = Int128{it.search.ranking.front().predicted.count()} * it.iterations;
    if (whole >= lowest) continue;
    lowest = whole;
    best = &it;
  }
  spec.job.batch = best->batch;
  return std::move(best->search);
}

// Adds strategies to the search and estimates those that may be faster.
void add(const JobSpec& spec, const std::vector<parallelize::Strategy>& strategies,
         NetworkProvider& provider, const SearchOptions& options, StrategySearch& search) {
  search.possible += strategies.size();
  std::vector<Weighed> weighed(strategies.size());
  for_each_index(strategies.size(), options.threads,
                 [&](std::size_t i) { weighed[i] = weigh_one(spec, strategies[i], provider); });
  for (const Weighed& it : weighed) keep(spec, it, search);
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
  estimate_ranking(spec, provider, {options.threads}, kForever, search);
}

bool estimated_uniform(const JobSpec& spec, const RankedStrategy& it) {
  return it.predicted.count() > 0 && !by_operators(spec, it.strategy);
}

// All other orders of the best strategy of each shape (the number of ranks along each dimension).
std::vector<parallelize::Strategy> other_orders(const JobSpec& spec, const StrategySearch& search) {
  constexpr std::size_t kShapes = 16;
  std::vector<parallelize::Strategy> others;
  std::set<std::array<int, 5>> shapes;
  for (const RankedStrategy& it : search.ranking) {
    if (shapes.size() == kShapes || !estimated_uniform(spec, it)) break;
    if (!shapes.insert(extents(it.strategy)).second) continue;
    for (const parallelize::Strategy& other : in_other_orders(it.strategy)) others.push_back(other);
  }
  return others;
}

// The best strategies in the orders that proved best for their shapes.
std::vector<parallelize::Strategy> in_best_orders(const JobSpec& spec,
                                                  const StrategySearch& search) {
  constexpr std::size_t kBest = 24;
  std::map<std::array<int, 5>, const parallelize::Strategy*> best;  // by shape
  std::vector<parallelize::Strategy> others;
  for (const RankedStrategy& it : search.ranking) {
    if (others.size() == kBest || !estimated_uniform(spec, it)) break;
    const parallelize::Strategy* of_shape =
        best.try_emplace(extents(it.strategy), &it.strategy).first->second;
    parallelize::Strategy other = it.strategy;
    other.order = of_shape->order;
    const bool known =
        std::any_of(search.ranking.begin(), search.ranking.end(),
                    [&](const RankedStrategy& ranked) { return ranked.strategy == other; });
    if (!known) others.push_back(other);
  }
  return others;
}

// Orders decide which traffic stays near, whatever the schedule: they are tried on one strategy per
// shape, and the best ones on all.
void try_orders(const JobSpec& spec, NetworkProvider& provider, const SearchOptions& options,
                StrategySearch& search) {
  if (!spec.choice.reorder || !provider.distance_matters()) return;
  add(spec, other_orders(spec, search), provider, options, search);
  add(spec, in_best_orders(spec, search), provider, options, search);
}

}  // namespace

std::size_t StrategySearch::unexamined() const {
  Duration best = kForever;
  for (const RankedStrategy& it : ranking) {
    if (it.predicted.count() > 0) best = std::min(best, it.predicted);
  }
  return static_cast<std::size_t>(std::count_if(
      ranking.begin(), ranking.end(),
      [&](const RankedStrategy& it) { return it.predicted.count() == 0 && it.bound < best; }));
}

Duration StrategySearch::lower_bound() const {
  Duration lowest = kForever;
  for (const RankedStrategy& it : ranking) lowest = std::min(lowest, it.bound);
  return lowest;
}

bool faster(const RankedStrategy& a, const RankedStrategy& b) {
  for (const auto time : {&RankedStrategy::simulated, &RankedStrategy::predicted}) {
    if ((a.*time).count() == 0 && (b.*time).count() == 0) continue;
    if ((a.*time).count() == 0 || (b.*time).count() == 0) return (b.*time).count() == 0;
    return a.*time < b.*time;
  }
  return a.bound < b.bound;
}

Duration estimate_strategy(const JobSpec& spec, const parallelize::Strategy& strategy,
                           NetworkProvider& provider) {
  return estimate_job(shard_job(spec, strategy, provider));
}

StrategySearch search_strategies(const JobSpec& spec, NetworkProvider& provider,
                                 const SearchOptions& options) {
  StrategySearch search = search_once(spec, provider, options);
  try_orders(spec, provider, options, search);
  return search;
}

StrategySearch search_batches(JobSpec& spec, NetworkProvider& provider,
                              const SearchOptions& options) {
  StrategySearch search = search_batches_once(spec, provider, options);
  try_orders(spec, provider, options, search);
  return search;
}

}  // namespace loom::plan
