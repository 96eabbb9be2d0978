#include "loom/plan/try_waiting.h"

#include <algorithm>

namespace loom::plan {
namespace {

constexpr double kWorthwhile = 0.995;  // of the time with overlap

struct WaitingCandidate {
  std::size_t rank = 0;  // of its strategy
  Waiting waiting;
  Duration predicted = kForever;
};

JobSpec waiting_spec(JobSpec spec, const Waiting& waiting) {
  if (waiting.gradients) spec.job.overlap_gradients = false;
  if (waiting.sends) spec.job.overlap_pipeline = false;
  return spec;
}

// What the strategy can wait for, but does not yet.
std::vector<Waiting> possible_waiting(const JobSpec& spec, const parallelize::Strategy& it) {
  const bool gradients = spec.job.overlap_gradients && it.data * it.context > 1;
  const bool sends = spec.job.overlap_pipeline && it.pipeline > 1;
  std::vector<Waiting> possible;
  if (gradients) possible.push_back({true, false});
  if (sends) possible.push_back({false, true});
  if (gradients && sends) possible.push_back({true, true});
  return possible;
}

// The candidate that the coarse engine predicts to be fastest, among the first few strategies.
WaitingCandidate fastest_waiting(const JobSpec& spec, NetworkProvider& provider,
                                 const StrategySearch& search) {
  constexpr std::size_t kTried = 3;
  WaitingCandidate best;
  for (std::size_t i = 0; i < std::min(kTried, search.ranking.size()); ++i) {
    const parallelize::Strategy& strategy = search.ranking[i].strategy;
    if (search.ranking[i].predicted.count() == 0 || strategy.operators > 1) break;
    for (const Waiting& waiting : possible_waiting(spec, strategy)) {
      const Duration predicted = estimate_strategy(waiting_spec(spec, waiting), strategy, provider);
      if (predicted < best.predicted) best = {i, waiting, predicted};
    }
  }
  return best;
}

}  // namespace

Waiting try_waiting(JobSpec& spec, NetworkProvider& provider, const Confirmation& confirmation,
                    StrategySearch& search) {
  if (spec.profile || search.ranking.empty()) return {};
  const RankedStrategy& first = search.ranking.front();
  const WaitingCandidate best = fastest_waiting(spec, provider, search);
  if (seconds(best.predicted) >= kWorthwhile * seconds(first.predicted)) return {};
  RankedStrategy waits = search.ranking[best.rank];
  const JobSpec changed = waiting_spec(spec, best.waiting);
  waits.predicted = best.predicted;
  waits.simulated = Duration(0);
  if (first.simulated.count() > 0) {
    const auto time =
        simulated_time(shard_job(changed, waits.strategy, provider).mapped, confirmation);
    if (!time || seconds(*time) >= kWorthwhile * seconds(first.simulated)) return {};
    waits.simulated = *time;
  }
  search.ranking.erase(search.ranking.begin() + static_cast<std::ptrdiff_t>(best.rank));
  search.ranking.insert(search.ranking.begin(), waits);
  spec = changed;
  return best.waiting;
}

}  // namespace loom::plan
