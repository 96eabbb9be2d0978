#include "loom/plan/strategies.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "loom/simulate/engine.h"

namespace loom {
namespace {

// What each step of one strategy costs on each stage.
class StepPrices {
 public:
  StepPrices(const Strategy& strategy, CollectivePrices& collectives)
      : grid_(strategy), collectives_(collectives) {}

  Duration price(const Step& step, int stage) {
    if (!step.communicates) return step.time;
    const auto known =
        prices_.try_emplace({step.kind, step.span, step.size.count, stage}, Duration(0));
    if (known.second) {
      Collective wanted;
      wanted.kind = step.kind;
      wanted.size = step.size;
      known.first->second = collectives_.choose(wanted, groups(step.span, stage)).predicted;
    }
    return known.first->second;
  }

 private:
  const Groups& groups(Span span, int stage) {
    const auto known = groups_.find({span, stage});
    if (known != groups_.end()) return known->second;
    return groups_.emplace(std::pair(span, stage), grid_.groups(span, stage)).first->second;
  }

  const Grid grid_;
  CollectivePrices& collectives_;
  std::map<std::pair<Span, int>, Groups> groups_;
  std::map<std::tuple<CollectiveKind, Span, std::int64_t, int>, Duration> prices_;
};

// What a task's main chain takes when nothing delays it.
Duration chain_time(const Task& task, int stage, StepPrices& prices) {
  Duration sum{0};
  for (int s = task.last; s >= 0;) {
    const Step& step = task.steps[static_cast<std::size_t>(s)];
    sum = add(sum, prices.price(step, stage));
    s = step.after.empty() ? -1 : step.after.front();
  }
  return sum;
}

// Fastest first; what was simulated before what was priced, and that before the others.
bool faster(const RankedStrategy& a, const RankedStrategy& b) {
  for (const auto time : {&RankedStrategy::simulated, &RankedStrategy::predicted}) {
    if ((a.*time).count() == 0 && (b.*time).count() == 0) continue;
    if ((a.*time).count() == 0 || (b.*time).count() == 0) return (b.*time).count() == 0;
    return a.*time < b.*time;
  }
  return a.bound < b.bound;
}

// No device computes faster than its peak.
Duration bound_of_flops(const JobSpec& spec, int devices) {
  if (spec.profile) return Duration(0);
  const auto peak = static_cast<double>(
      spec.accelerator.peak[static_cast<std::size_t>(spec.job.precision)].per_second);
  const double flops = static_cast<double>(spec.model.training_flops()) *
                       static_cast<double>(spec.job.batch) / devices;
  return Duration(static_cast<std::int64_t>(flops / peak * 1e12));
}

// kForever where the job cannot be carried, and why.
Duration price(const CutJob& job, const Strategy& strategy, std::string& infeasible) {
  if (job.feasible()) return predicted_time(job);
  infeasible = to_text(strategy) + ": " + job.grounded.infeasible;
  return kForever;
}

// Where it can be, a strategy that cuts operators one by one: its memory is known once it is
// placed.
void rank_operators(const JobSpec& spec, const Strategy& strategy, JobGround& ground,
                    StrategySearch& search) {
  const CutJob job = cut_job(spec, strategy, ground);
  ++search.priced;
  const Duration predicted = price(job, strategy, search.objection);
  if (predicted == kForever) return;
  search.ranking.push_back({strategy, job.most_memory(), bound_of_flops(spec, strategy.devices()),
                            predicted, Duration(0)});
}

using Progress = std::function<void(double)>;

// What fits in memory, by its bound; only strategies by operators have a price yet.
StrategySearch weigh(const JobSpec& spec, JobGround& ground, const Progress& progress) {
  StrategySearch search;
  const std::vector<Strategy> all = possible_strategies(spec, ground.devices(), search.objection);
  search.possible = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (progress) progress(static_cast<double>(i) / static_cast<double>(all.size()));
    if (spec.profile || all[i].operators > 1) {
      rank_operators(spec, all[i], ground, search);
      continue;
    }
    const ShardedModel sharded =
        shard(spec.model, spec.job, all[i], spec.accelerator, spec.measured);
    RankedStrategy ranked{all[i], {}, {}, {}};
    for (const StageMemory& it : sharded.memory)
      ranked.memory = std::max(ranked.memory, it.total());
    if (ranked.memory > spec.accelerator.memory) {
      if (!search.smallest || ranked.memory < search.smallest->memory) search.smallest = ranked;
      continue;
    }
    ranked.bound = bound_strategy(sharded, ground.cheapest());
    search.ranking.push_back(ranked);
  }
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
  return search;
}

// No iteration is shorter by any of them.
Duration least_bound(const StrategySearch& search) {
  Duration least = kForever;
  for (const RankedStrategy& it : search.ranking) {
    least = std::min(least, it.predicted.count() > 0 ? it.predicted : it.bound);
  }
  return least;
}

// Prices what may take less than `limit` and than the best so far; the fastest come first.
void price_ranking(const JobSpec& spec, JobGround& ground, const Progress& progress, Duration limit,
                   StrategySearch& search) {
  Duration best = limit;
  for (const RankedStrategy& it : search.ranking) {
    if (it.predicted.count() > 0) best = std::min(best, it.predicted);
  }
  for (RankedStrategy& ranked : search.ranking) {
    if (ranked.predicted.count() > 0) continue;
    if (ranked.bound >= best) break;
    const CutJob job = cut_job(spec, ranked.strategy, ground, best);
    ranked.bound = std::max(ranked.bound, job.least);
    if (job.least >= best) continue;
    ranked.predicted = price(job, ranked.strategy, search.objection);
    best = std::min(best, ranked.predicted);
    ++search.priced;
    if (progress) {
      progress(static_cast<double>(search.priced) / static_cast<double>(search.ranking.size()));
    }
  }
  std::erase_if(search.ranking, [](const RankedStrategy& it) { return it.predicted == kForever; });
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

Progress part_of(const Progress& progress, double from, double to) {
  if (!progress) return nullptr;
  return [=](double done) { progress(from + (to - from) * done); };
}

StrategySearch search_once(const JobSpec& spec, JobGround& ground, const Progress& progress) {
  StrategySearch search = weigh(spec, ground, part_of(progress, 0, 0.5));
  price_ranking(spec, ground, part_of(progress, 0.5, 1), kForever, search);
  return search;
}

struct BatchSearch {
  std::int64_t batch = 1;
  std::int64_t iterations = 1;
  StrategySearch search;
  Int128 bound = 0;  // picoseconds of a whole training
};

// Powers of two, and as many for each device.
std::vector<std::int64_t> batch_sizes(int devices) {
  constexpr std::int64_t kLargest = 65'536;
  std::set<std::int64_t> sizes;
  for (const std::int64_t first : {std::int64_t{1}, std::int64_t{devices}}) {
    for (std::int64_t it = first; it <= kLargest; it *= 2) sizes.insert(it);
  }
  return {sizes.begin(), sizes.end()};
}

// The batches, those that may end first in front.
std::vector<BatchSearch> weigh_batches(JobSpec spec, JobGround& ground, const Progress& progress) {
  const std::vector<std::int64_t> sizes = batch_sizes(ground.devices());
  std::vector<BatchSearch> batches(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    BatchSearch& it = batches[i];
    it.batch = spec.job.batch = sizes[i];
    it.iterations = iterations_to_accuracy(*spec.law, it.batch);
    const auto part = 1 / static_cast<double>(sizes.size());
    it.search =
        weigh(spec, ground,
              part_of(progress, static_cast<double>(i) * part, static_cast<double>(i + 1) * part));
    it.bound = Int128{least_bound(it.search).count()} * it.iterations;
  }
  std::stable_sort(batches.begin(), batches.end(),
                   [](const BatchSearch& a, const BatchSearch& b) { return a.bound < b.bound; });
  return batches;
}

// The batch gets its place in `spec`. Where none can be carried the first search says why.
StrategySearch search_batches_once(JobSpec& spec, JobGround& ground, const Progress& progress) {
  std::vector<BatchSearch> batches = weigh_batches(spec, ground, part_of(progress, 0, 0.5));
  BatchSearch* best = &batches.front();
  Int128 least = Int128{1} << 126;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    BatchSearch& it = batches[i];
    const auto from = 0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(batches.size());
    if (progress) progress(from);
    if (it.bound >= least) continue;
    spec.job.batch = it.batch;
    const Int128 limit = std::min<Int128>(kForever.count(), least / it.iterations);
    price_ranking(spec, ground, nullptr, Duration(static_cast<std::int64_t>(limit)), it.search);
    if (it.search.ranking.empty() || it.search.ranking.front().predicted.count() == 0) continue;
    const Int128 whole = Int128{it.search.ranking.front().predicted.count()} * it.iterations;
    if (whole >= least) continue;
    least = whole;
    best = &it;
  }
  spec.job.batch = best->batch;
  return std::move(best->search);
}

bool carried(const StrategySearch& search) { return !search.ranking.empty() || search.smallest; }

}  // namespace

Duration bound_strategy(const ShardedModel& sharded, CollectivePrices& collectives) {
  StepPrices prices(sharded.strategy, collectives);
  std::vector<Duration> of_stage(static_cast<std::size_t>(sharded.strategy.pipeline), Duration(0));
  std::vector<Duration> of_chunk;
  for (const Chunk& chunk : sharded.chunks) {
    of_chunk.push_back(add(chain_time(chunk.forward, chunk.stage, prices),
                           chain_time(chunk.backward, chunk.stage, prices)));
    Duration& sum = of_stage[static_cast<std::size_t>(chunk.stage)];
    sum = add(sum, of_chunk.back());
  }
  Duration bound{0};
  Duration before{0};  // there and back through the chunks in front
  for (std::size_t stage = 0; stage < of_stage.size(); ++stage) {
    // A stage begins anew after its own update; the first one waits for what comes back to it.
    const Duration busy = times(sharded.micro_batches, of_stage[stage]);
    bound = std::max({bound, add(busy, sharded.optimizer_time[stage]),
                      add(add(before, busy), sharded.optimizer_time.front())});
    before = add(before, of_chunk[stage]);
  }
  return bound;
}

Duration price_strategy(const JobSpec& spec, const Strategy& strategy, JobGround& ground) {
  std::string infeasible;
  return price(cut_job(spec, strategy, ground), strategy, infeasible);
}

StrategySearch search_strategies(const JobSpec& spec, JobGround& ground, const Progress& progress) {
  StrategySearch search = search_once(spec, ground, progress);
  if (!carried(search) && ground.relax()) search = search_once(spec, ground, progress);
  return search;
}

StrategySearch search_batches(JobSpec& spec, JobGround& ground, const Progress& progress) {
  StrategySearch search = search_batches_once(spec, ground, progress);
  if (!carried(search) && ground.relax()) search = search_batches_once(spec, ground, progress);
  return search;
}

void confirm_first(const JobSpec& spec, JobGround& ground, std::int64_t messages,
                   StrategySearch& search, bool folding) {
  constexpr std::size_t kMost = 8;
  constexpr double kNear = 1.15;  // of the best price: what lies above is not worth the time
  std::set<Duration> prices;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < search.ranking.size() && first.size() < kMost; ++i) {
    const Duration price = search.ranking[i].predicted;
    const auto best = static_cast<double>(search.ranking.front().predicted.count());
    if (price.count() == 0 || static_cast<double>(price.count()) > kNear * best) break;
    if (prices.insert(price).second) first.push_back(i);
  }
  if (first.size() < 2) return;
  for (const std::size_t i : first) {
    const GroundedJob job = cut_job(spec, search.ranking[i].strategy, ground).grounded;
    messages -= message_count(job.lowered.workload);
    if (messages < 0) break;
    EngineOptions options;
    options.folding = folding;
    search.ranking[i].simulated = iteration_time(
        job.lowered, simulate_fluid(job.lowered.workload, *job.network, {}, options).operation_end);
  }
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

}  // namespace loom
