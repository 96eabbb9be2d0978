#include "loom/plan/try_waiting.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "loom/plan/estimate_block.h"

namespace loom::plan {
namespace {

constexpr double kWorthwhile = 0.995;  // of the time with overlap
constexpr double kErrors = 1.02;       // by so much the coarse engine may be wrong

struct WaitingCandidate {
  std::size_t rank = 0;  // of its strategy
  Waiting waiting;
  Duration predicted = kForever;
  MappedJob job = {};
};

JobSpec waiting_spec(JobSpec spec, const Waiting& waiting) {
  if (waiting.gradients) spec.job.overlap_gradients = false;
  if (waiting.sends) spec.job.overlap_pipeline = false;
  return spec;
}

// What the strategy can wait for, but does not yet; sends alone come last.
std::vector<Waiting> possible_waiting(const JobSpec& spec, const parallelize::Strategy& it) {
  const bool gradients = spec.job.overlap_gradients && it.data * it.context > 1;
  const bool sends = spec.job.overlap_pipeline && it.pipeline > 1;
  std::vector<Waiting> possible;
  if (gradients) possible.push_back({true, false});
  if (gradients && sends) possible.push_back({true, true});
  if (sends) possible.push_back({false, true});
  return possible;
}

// The candidates that may be fastest as predicted by the coarse engine, among the best strategies.
std::vector<WaitingCandidate> near_candidates(const JobSpec& spec, NetworkProvider& provider,
                                              const StrategySearch& search) {
  const std::size_t tried = provider.provisions() ? 1 : 4;  // circuits take long to provision
  constexpr std::size_t kKept = 3;
  constexpr double kNear = 1.03;  // times the best predicted time
  const double limit = kNear * seconds(search.ranking.front().predicted);
  std::vector<WaitingCandidate> near;
  for (std::size_t i = 0; i < std::min(tried, search.ranking.size()); ++i) {
    const parallelize::Strategy& strategy = search.ranking[i].strategy;
    const Duration overlapping = search.ranking[i].predicted;
    if (overlapping.count() == 0 || seconds(overlapping) > limit) break;
    if (strategy.operators > 1) continue;
    Duration gradients = kForever;  // predicted times of waiting for them, and for both
    Duration both = kForever;
    for (const Waiting& waiting : possible_waiting(spec, strategy)) {
      // Where waiting for sends makes waiting for gradients slower, it is no better alone.
      if (!waiting.gradients && seconds(both) > kErrors * seconds(gradients)) continue;
      ShardedJob job = shard_job(waiting_spec(spec, waiting), strategy, provider);
      const Duration predicted = estimate_job(job);
      if (waiting.gradients) (waiting.sends ? both : gradients) = predicted;
      if (seconds(predicted) <= kErrors * limit / kNear) {
        near.push_back({i, waiting, predicted, std::move(job.mapped)});
      }
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.predicted < b.predicted; });
  near.resize(std::min(kKept, near.size()));
  return near;
}

// The strategy with the times of the candidate.
RankedStrategy timed(const WaitingCandidate& it, const Confirmation& confirmation,
                     const StrategySearch& search) {
  RankedStrategy ranked = search.ranking[it.rank];
  ranked.predicted = it.predicted;
  ranked.simulated = Duration(0);
  if (search.ranking.front().simulated.count() == 0) return ranked;
  ranked.simulated = simulated_time(it.job, confirmation).value_or(kForever);
  return ranked;
}

Duration time_of(const RankedStrategy& it) {
  return it.simulated.count() > 0 ? it.simulated : it.predicted;
}

}  // namespace

Waiting try_waiting(JobSpec& spec, NetworkProvider& provider, const Confirmation& confirmation,
                    StrategySearch& search) {
  if (spec.profile || search.ranking.empty()) return {};
  std::optional<WaitingCandidate> best;
  RankedStrategy fastest = search.ranking.front();
  const double limit = kWorthwhile * seconds(time_of(fastest));
  for (const WaitingCandidate& it : near_candidates(spec, provider, search)) {
    const RankedStrategy ranked = timed(it, confirmation, search);
    if (seconds(time_of(ranked)) >= limit || time_of(ranked) >= time_of(fastest)) continue;
    best = it;
    fastest = ranked;
  }
  if (!best) return {};
  search.ranking.erase(search.ranking.begin() + static_cast<std::ptrdiff_t>(best->rank));
  search.ranking.insert(search.ranking.begin(), fastest);
  spec = waiting_spec(std::move(spec), best->waiting);
  return best->waiting;
}

}  // namespace loom::plan
