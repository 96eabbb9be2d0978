#include "loom/plan/strategies.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "loom/base/error.h"
#include "loom/simulate/engine.h"

namespace loom {
namespace {

using Order = std::array<Dimension, 5>;

constexpr std::size_t kMostStrategies = 200'000;

std::vector<int> divisors(int of) {
  std::vector<int> found;
  for (int d = 1; d <= of; ++d) {
    if (of % d == 0) found.push_back(d);
  }
  return found;
}

// Of a stage with so many blocks: all small counts, and those that leave chunks alike.
std::vector<int> chunk_counts(int blocks) {
  constexpr int kSmall = 8;
  std::vector<int> counts;
  for (int count = 1; count <= blocks; ++count) {
    if (count <= kSmall || blocks % count == 0) counts.push_back(count);
  }
  return counts.empty() ? std::vector<int>{1} : counts;
}

std::vector<int> options(const std::optional<int>& fixed, std::vector<int> all) {
  return fixed ? std::vector<int>{*fixed} : std::move(all);
}

// What the dimensions of more than one rank look like in this order: orders alike in it are one.
std::vector<Dimension> visible(const Strategy& it, const Order& order) {
  std::vector<Dimension> seen;
  const std::array<int, 5> extent = {it.tensor, it.context, it.expert, it.data / it.expert,
                                     it.pipeline};
  for (const Dimension d : order) {
    if (extent[static_cast<std::size_t>(d)] > 1) seen.push_back(d);
  }
  return seen;
}

std::vector<Order> orders(const Strategy& it, const StrategyChoice& choice) {
  if (choice.order) return {*choice.order};
  std::vector<Order> found;
  std::set<std::vector<Dimension>> seen;
  Order order = Strategy{}.order;
  do {
    if (seen.insert(visible(it, order)).second) found.push_back(order);
  } while (std::next_permutation(order.begin(), order.end()));
  return found;
}

// Fills in, one after another, what does not change how ranks are grouped.
class Candidates {
 public:
  Candidates(const JobSpec& spec, std::vector<Strategy>& found, std::string& objection)
      : spec_(spec), found_(found), objection_(objection) {}

  void over_dimensions(int devices) {
    const StrategyChoice& choice = spec_.choice;
    for (const int tensor : options(choice.tensor, divisors(devices))) {
      for (const int pipeline : options(choice.pipeline, divisors(devices))) {
        for (const int context : options(choice.context, divisors(devices))) {
          const std::int64_t inner = std::int64_t{tensor} * pipeline * context;
          if (inner > devices || devices % inner != 0) {
            note(Strategy{.tensor = tensor, .context = context, .pipeline = pipeline}, devices);
            continue;
          }
          const int data = static_cast<int>(devices / inner);
          if (choice.data && *choice.data != data) {
            note(Strategy{.tensor = tensor,
                          .context = context,
                          .data = *choice.data,
                          .pipeline = pipeline},
                 devices);
            continue;
          }
          over_experts({.tensor = tensor, .context = context, .data = data, .pipeline = pipeline});
        }
      }
    }
  }

 private:
  void note(const Strategy& it, int devices) {
    if (!objection_.empty()) return;
    objection_ = fmt::format("tensor {} × pipeline {} × context {}{} for {} devices; ", it.tensor,
                             it.pipeline, it.context,
                             it.data > 1 ? fmt::format(" × data {}", it.data) : "", devices) +
                 (it.data > 1 ? "a product equal to them is needed" : "a divisor is needed");
  }

  void over_experts(Strategy it) {
    const std::vector<int> all =
        spec_.model.experts > 0 ? divisors(spec_.model.experts) : std::vector<int>{1};
    for (const int expert : options(spec_.choice.expert, all)) {
      if (!spec_.choice.expert && it.data % expert != 0) continue;
      it.expert = expert;
      over_micro_batches(it);
    }
  }

  void over_micro_batches(Strategy it) {
    const std::int64_t of_rank = spec_.job.batch / it.data;
    std::vector<int> sizes;
    for (std::int64_t size = 1; size <= of_rank && size <= 1024; size *= 2) {
      if (of_rank % size == 0) sizes.push_back(static_cast<int>(size));
    }
    if (sizes.empty()) sizes.push_back(1);  // refused below, with its reason
    for (const int size : options(spec_.choice.micro_batch, sizes)) {
      it.micro_batch = size;
      over_chunks(it);
    }
  }

  void over_chunks(Strategy it) {
    const bool may = spec_.choice.schedule == PipelineSchedule::interleaved && it.pipeline > 1;
    const std::vector<int> all =
        may ? chunk_counts(spec_.model.blocks / it.pipeline) : std::vector<int>{1};
    for (const int chunks : options(spec_.choice.interleave, all)) {
      it.interleave = chunks;
      it.schedule = spec_.choice.schedule;
      if (chunks == 1 && it.schedule == PipelineSchedule::interleaved) {
        it.schedule = PipelineSchedule::one_forward_one_backward;
      }
      over_memory(it);
    }
  }

  void over_memory(Strategy it) {
    std::vector<bool> sequence = {false};
    const bool can = it.tensor > 1 && spec_.model.tokens > 0;
    if (can) sequence.push_back(true);
    if (spec_.choice.sequence_parallel) sequence = {*spec_.choice.sequence_parallel && can};
    std::vector<Recompute> recompute = {Recompute::none, Recompute::full};
    if (has_plain_attention()) recompute.push_back(Recompute::selective);
    if (spec_.choice.recompute) recompute = {*spec_.choice.recompute};
    const std::vector<int> zeros =
        it.data * it.context > 1 ? std::vector<int>{0, 1, 2, 3} : std::vector<int>{0};
    for (const int zero : options(spec_.choice.zero, zeros)) {
      for (const bool parallel : sequence) {
        for (const Recompute again : recompute) {
          it.zero = zero;
          it.sequence_parallel = parallel;
          it.recompute = again;
          over_orders(it);
        }
      }
    }
  }

  // Selective recomputation does it again; without any it is none.
  bool has_plain_attention() const {
    return std::any_of(spec_.model.operators.begin(), spec_.model.operators.end(),
                       [](const Operator& op) { return op.core_attention && !op.fused; });
  }

  void over_orders(Strategy it) {
    const std::string wrong = loom::objection(spec_.model, spec_.job, it);
    if (!wrong.empty()) {
      if (objection_.empty()) objection_ = wrong;
      return;
    }
    for (const Order& order : orders(it, spec_.choice)) {
      it.order = order;
      found_.push_back(it);
    }
    if (found_.size() > kMostStrategies) {
      throw LimitError(
          "there are more than 200,000 ways to cut the job; give some of tensor, "
          "pipeline, context, expert, micro_batch, zero or order");
    }
  }

  const JobSpec& spec_;
  std::vector<Strategy>& found_;
  std::string& objection_;
};

// What each step of one strategy costs on each stage.
class StepPrices {
 public:
  StepPrices(const Strategy& strategy, JobCollectives& collectives)
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
  JobCollectives& collectives_;
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

Bytes most_memory(const ShardedModel& sharded) {
  Bytes most;
  for (const StageMemory& memory : sharded.memory) most = std::max(most, memory.total());
  return most;
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

LoweredJob lowered_job(const JobSpec& spec, const Strategy& strategy, JobCollectives& collectives) {
  return lower(shard(spec.model, spec.job, strategy, spec.accelerator, spec.measured),
               spec.iterations, [&](const Collective& wanted, const Groups& groups) {
                 return collectives.choose(wanted, groups).collective;
               });
}

}  // namespace

std::vector<Strategy> possible_strategies(const JobSpec& spec, int devices,
                                          std::string& objection) {
  std::vector<Strategy> found;
  Candidates(spec, found, objection).over_dimensions(devices);
  return found;
}

Duration bound_strategy(const ShardedModel& sharded, JobCollectives& collectives) {
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

Duration iteration_time(const LoweredJob& job, const std::vector<Duration>& operation_end) {
  Duration last{0};
  Duration before{0};
  for (std::size_t o = 0; o < operation_end.size(); ++o) {
    if (job.tags[o].iteration == job.iterations - 1) last = std::max(last, operation_end[o]);
    if (job.tags[o].iteration == job.iterations - 2) before = std::max(before, operation_end[o]);
  }
  return last - before;
}

Duration price_strategy(const JobSpec& spec, const Strategy& strategy, const Network& network,
                        JobCollectives& collectives) {
  const LoweredJob job = lowered_job(spec, strategy, collectives);
  return iteration_time(job, simulate_analytic(job.workload, network, {}).operation_end);
}

StrategySearch search_strategies(const JobSpec& spec, const Network& network,
                                 const std::function<void(double)>& progress) {
  StrategySearch search;
  JobCollectives collectives(network, spec.algorithm);
  std::vector<RankedStrategy> fitting;
  const std::vector<Strategy> all = possible_strategies(spec, network.devices, search.objection);
  search.possible = all.size();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (progress) progress(0.5 * static_cast<double>(i) / static_cast<double>(all.size()));
    const ShardedModel sharded =
        shard(spec.model, spec.job, all[i], spec.accelerator, spec.measured);
    RankedStrategy ranked{all[i], most_memory(sharded), {}, {}};
    if (ranked.memory > spec.accelerator.memory) {
      if (!search.smallest || ranked.memory < search.smallest->memory) search.smallest = ranked;
      continue;
    }
    ranked.bound = bound_strategy(sharded, collectives);
    fitting.push_back(ranked);
  }
  std::stable_sort(fitting.begin(), fitting.end(), faster);
  Duration best = kForever;
  for (RankedStrategy& ranked : fitting) {
    if (ranked.bound >= best) break;
    ranked.predicted = price_strategy(spec, ranked.strategy, network, collectives);
    best = std::min(best, ranked.predicted);
    ++search.priced;
    if (progress) {
      progress(0.5 +
               0.5 * static_cast<double>(search.priced) / static_cast<double>(fitting.size()));
    }
  }
  std::stable_sort(fitting.begin(), fitting.end(), faster);
  search.ranking = std::move(fitting);
  return search;
}

void confirm_first(const JobSpec& spec, const Network& network, std::int64_t messages,
                   StrategySearch& search) {
  constexpr std::size_t kMost = 8;
  constexpr double kNear = 1.15;  // of the best price: what lies above is not worth the time
  JobCollectives collectives(network, spec.algorithm);
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
    const LoweredJob job = lowered_job(spec, search.ranking[i].strategy, collectives);
    messages -= message_count(job.workload);
    if (messages < 0) break;
    search.ranking[i].simulated =
        iteration_time(job, simulate_fluid(job.workload, network, {}, {}).operation_end);
  }
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

}  // namespace loom
