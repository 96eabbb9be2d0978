#include "loom/plan/split_search.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "loom/base/parallel.h"
#include "loom/fabric/kinds/electrical/switch.h"
#include "loom/plan/bound_strategy.h"
#include "loom/plan/estimate_block.h"
#include "loom/plan/split_moves.h"

namespace loom::plan {
namespace {

using parallelize::Strategy;

constexpr std::size_t kBases = 5;           // uniform strategies to start from
constexpr std::size_t kDescents = 3;        // starts that are improved
constexpr std::size_t kChangesAtOnce = 16;  // changes evaluated before the best of them is made
constexpr std::size_t kConfirmed = 4;       // strategies to confirm
// Estimates of one descent, and the work of all: operators times micro-batches. On circuits, which
// are provisioned for each estimate, fewer.
constexpr std::size_t kEstimates = 600;
constexpr std::size_t kOnCircuits = 64;
constexpr std::int64_t kWork = 2'000'000;

class SplitSearch {
 public:
  SplitSearch(const JobSpec& spec, NetworkProvider& provider, int threads)
      : spec_(spec), provider_(provider), threads_(threads), kinds_(operator_kinds(spec.model)) {}

  // Estimates these strategies; those that cannot be faster than `limit` may be left out. Fastest
  // first.
  std::vector<RankedStrategy> estimated(const std::vector<Strategy>& strategies, Duration limit) {
    std::vector<RankedStrategy> ranked(strategies.size());
    for_each_index(strategies.size(), threads_,
                   [&](std::size_t i) { ranked[i] = estimate_one(strategies[i], limit); });
    estimates_ += strategies.size();
    std::erase_if(ranked, [](const RankedStrategy& it) { return it.predicted == kForever; });
    std::stable_sort(ranked.begin(), ranked.end(), faster);
    return ranked;
  }

  // Makes changes as long as one of the next makes the strategy faster.
  RankedStrategy descend(RankedStrategy best, std::size_t budget) {
    std::vector<Strategy> moves = split_moves(spec_, kinds_, best.strategy);
    std::size_t next = 0;   // of the changes, which are tried in turn
    std::size_t tried = 0;  // since the last improvement
    while (tried < moves.size() && budget > 0) {
      std::vector<Strategy> block;
      const std::size_t count = std::min({kChangesAtOnce, budget, moves.size() - tried});
      for (std::size_t i = 0; i < count; ++i) block.push_back(moves[(next + i) % moves.size()]);
      budget -= count;
      next = (next + count) % moves.size();
      tried += count;
      const std::vector<RankedStrategy> found = estimated(block, best.predicted);
      if (found.empty() || found.front().predicted >= best.predicted) continue;
      best = found.front();
      moves = split_moves(spec_, kinds_, best.strategy);
      next = moves.empty() ? 0 : next % moves.size();
      tried = 0;
    }
    return best;
  }

  std::size_t estimates() const { return estimates_; }

 private:
  RankedStrategy estimate_one(const Strategy& strategy, Duration limit) const {
    RankedStrategy ranked{strategy};
    ranked.predicted = kForever;
    if (parallelize::objection(spec_.model, spec_.job, strategy)) return ranked;
    const parallelize::ShardedModel sharded =
        shard(spec_.model, spec_.job, strategy, spec_.accelerator, spec_.measured);
    for (const parallelize::StageMemory& it : sharded.memory) {
      ranked.memory = std::max(ranked.memory, it.total());
    }
    if (ranked.memory > spec_.accelerator.usable_memory()) return ranked;
    ranked.bound = bound_strategy(sharded, provider_);
    if (ranked.bound >= limit) return ranked;
    const ShardedJob job = shard_job(spec_, strategy, provider_, limit);
    ranked.bound = std::max(ranked.bound, job.lower_bound);
    if (job.mapped.network) ranked.predicted = estimate_job(job);
    return ranked;
  }

  const JobSpec& spec_;
  NetworkProvider& provider_;
  int threads_;
  OperatorKinds kinds_;
  std::size_t estimates_ = 0;
};

// The fastest uniform strategies that differ in more than their ranks of tensor and data.
std::vector<Strategy> bases_of(const StrategySearch& uniform) {
  std::vector<Strategy> bases;
  std::set<std::tuple<int, int, int, int, bool, parallelize::Recompute>> seen;
  const auto add = [&](const RankedStrategy& it) {
    const Strategy& one = it.strategy;
    if (it.predicted.count() == 0 || one.operators > 1) return;
    if (seen.insert({one.pipeline, one.context, one.expert, one.interleave, one.sequence_parallel,
                     one.recompute})
            .second) {
      bases.push_back(one);
    }
  };
  for (const RankedStrategy& it : uniform.ranking) {
    if (bases.size() < kBases) add(it);
  }
  for (const RankedStrategy& it : uniform.ranking) {
    if (it.strategy.pipeline == 1) add(it);
    if (bases.size() > kBases) break;
  }
  return bases;
}

std::vector<Strategy> starts_of(const JobSpec& spec, const StrategySearch& uniform) {
  std::vector<Strategy> starts;
  for (const Strategy& base : bases_of(uniform)) {
    for (Strategy& it : split_starts(spec, base)) {
      if (std::find(starts.begin(), starts.end(), it) == starts.end()) {
        starts.push_back(std::move(it));
      }
    }
  }
  return starts;
}

// How many estimates one descent may take: fewer for a job of many operators.
std::size_t budget_of(const JobSpec& spec, const Strategy& strategy) {
  const std::int64_t count = spec.job.batch / (std::int64_t{strategy.data} * strategy.micro_batch);
  const std::int64_t work = count * static_cast<std::int64_t>(spec.model.operators.size());
  return std::min(kEstimates, static_cast<std::size_t>(kWork / work / kDescents));
}

std::unique_ptr<NetworkProvider> ideal_switch_for(const JobSpec& spec, NetworkProvider& provider) {
  const parallelize::LinkEstimate link = provider.link();
  return std::make_unique<FixedNetworkProvider>(
      std::make_shared<fabric::Network>(
          fabric::ideal_switch(provider.devices(), link.bandwidth, link.latency)),
      spec.algorithm);
}

// The first of each shape: the ranks along each dimension.
std::vector<RankedStrategy> best_of_each_shape(const std::vector<RankedStrategy>& ranked) {
  std::vector<RankedStrategy> best;
  std::set<std::array<int, 5>> shapes;
  for (const RankedStrategy& it : ranked) {
    if (shapes.insert(extents(it.strategy)).second) best.push_back(it);
  }
  return best;
}

void sort_distinct(std::vector<RankedStrategy>& ranked) {
  std::stable_sort(ranked.begin(), ranked.end(), faster);
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const auto rest = ranked.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    ranked.erase(std::remove_if(rest, ranked.end(),
                                [&](const auto& it) { return it.strategy == ranked[i].strategy; }),
                 ranked.end());
  }
}

// The best starts of each shape, and what the first of them lead to; fastest first.
std::vector<RankedStrategy> descents(const JobSpec& spec, SplitSearch& search,
                                     const std::vector<Strategy>& starts) {
  std::vector<RankedStrategy> all = best_of_each_shape(search.estimated(starts, kForever));
  const std::size_t count = std::min(kDescents, all.size());
  for (std::size_t i = 0; i < count; ++i) {
    all.push_back(search.descend(all[i], budget_of(spec, all[i].strategy)));
  }
  sort_distinct(all);
  return all;
}

}  // namespace

StrategySearch search_splits(const JobSpec& spec, NetworkProvider& provider,
                             const StrategySearch& uniform, const SearchOptions& options) {
  StrategySearch found;
  const std::vector<Strategy> starts = starts_of(spec, uniform);
  SplitSearch search(spec, provider, options.threads);
  if (!provider.provisions()) {
    found.ranking = descents(spec, search, starts);
  } else {
    const std::unique_ptr<NetworkProvider> ideal = ideal_switch_for(spec, provider);
    SplitSearch first(spec, *ideal, options.threads);
    std::vector<Strategy> promising;
    for (const RankedStrategy& it : descents(spec, first, starts)) {
      if (promising.size() == kChangesAtOnce) break;
      promising.push_back(it.strategy);
    }
    found.ranking = search.estimated(promising, kForever);
    if (!found.ranking.empty()) {
      found.ranking.push_back(search.descend(
          found.ranking.front(), std::min(kOnCircuits, budget_of(spec, promising.front()))));
    }
    sort_distinct(found.ranking);
  }
  found.ranking.resize(std::min(kConfirmed, found.ranking.size()));
  found.possible = found.estimated = search.estimates();
  return found;
}

}  // namespace loom::plan
