// Simulates the top-ranked strategies of a search with the fluid engine.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <span>

#include "loom/base/parallel.h"
#include "loom/plan/strategies.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

constexpr std::size_t kMaxConfirmed = 8;

// Indices into the ranking of the strategies to simulate: predicted times up to `near` times the
// best, one strategy per distinct time.
std::vector<std::size_t> worth_simulating(const StrategySearch& search, double near) {
  std::set<Duration> seen;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < search.ranking.size() && first.size() < kMaxConfirmed; ++i) {
    const Duration predicted = search.ranking[i].predicted;
    const auto best = static_cast<double>(search.ranking.front().predicted.count());
    if (predicted.count() == 0 || static_cast<double>(predicted.count()) > near * best) break;
    if (seen.insert(predicted).second) first.push_back(i);
  }
  return first;
}

// A strategy to be simulated. Must not be moved: the run refers to the job.
struct StrategyCandidate {
  MappedJob job;
  std::vector<simulate::LinkChange> changes;
  std::unique_ptr<const simulate::FluidRun> run;

  // Prepares the run of `job`.
  void prepare(const Confirmation& how) {
    simulate::EngineOptions options;
    options.folding = how.folding;
    options.sharing = job.sharing;
    if (how.changes) changes = how.changes(*job.network);
    run = std::make_unique<const simulate::FluidRun>(job.lowered.workload, *job.network, changes,
                                                     options);
  }

  // Number of messages that count against what is affordable: with folding, whether it is on or
  // off, so that both choose the same strategy. Changes of links may break symmetries.
  std::int64_t messages(const Confirmation& how) const {
    const workload::Workload& workload = job.lowered.workload;
    if (!changes.empty()) return message_count(workload);
    return how.folding ? run->messages() : simulate::followed_messages(workload, *job.network);
  }

  // Simulated iteration time; zero if the simulation deadlocks.
  Duration time() const {
    const simulate::Outcome outcome = run->simulate();
    return outcome.deadlock ? Duration(0) : iteration_time(job.lowered, outcome.operation_end);
  }
};

// Simulates candidates in the order of their predicted times until the rest cannot be faster.
class ConfirmInOrder {
 public:
  ConfirmInOrder(const JobSpec& spec, NetworkProvider& provider, const Confirmation& how,
                 StrategySearch& search)
      : spec_(spec), provider_(provider), how_(how), search_(search), messages_(how.messages) {}

  void run(std::span<const std::size_t> ranks) {
    constexpr std::size_t kTogether = 2;
    while (!ranks.empty() && may_be_faster(search_.ranking[ranks.front()].predicted)) {
      const std::size_t count = std::min(kTogether, ranks.size());
      if (!simulate(ranks.first(count))) break;
      ranks = ranks.subspan(count);
    }
  }

 private:
  // Whether a strategy with this predicted time may be the fastest, given how wrong the predictions
  // of those simulated were.
  bool may_be_faster(Duration predicted) const {
    constexpr double kMinError = 0.005;
    return seconds(predicted) * (1 - 2 * std::max(error_, kMinError)) < best_;
  }

  // Returns whether all of them were affordable.
  bool simulate(std::span<const std::size_t> ranks) {
    std::vector<StrategyCandidate> candidates(ranks.size());
    for_each_index(ranks.size(), how_.threads, [&](std::size_t j) {
      candidates[j].job = shard_job(spec_, search_.ranking[ranks[j]].strategy, provider_).mapped;
      candidates[j].prepare(how_);
    });
    std::size_t affordable = 0;
    for (; affordable < ranks.size(); ++affordable) {
      messages_ -= candidates[affordable].messages(how_);
      if (messages_ < 0) break;
    }
    for_each_index(affordable, how_.threads, [&](std::size_t j) {
      RankedStrategy& ranked = search_.ranking[ranks[j]];
      ranked.predicted = candidates[j].job.predicted.value_or(ranked.predicted);
      ranked.simulated = candidates[j].time();
    });
    for (std::size_t j = 0; j < affordable; ++j) note(search_.ranking[ranks[j]]);
    return affordable == ranks.size();
  }

  void note(const RankedStrategy& it) {
    if (it.simulated.count() == 0) return;
    best_ = std::min(best_, seconds(it.simulated));
    error_ = std::max(error_, std::abs(seconds(it.simulated) / seconds(it.predicted) - 1));
  }

  const JobSpec& spec_;
  NetworkProvider& provider_;
  const Confirmation& how_;
  StrategySearch& search_;
  std::int64_t messages_;                                  // that may still be simulated
  double best_ = std::numeric_limits<double>::infinity();  // simulated, in seconds
  double error_ = 0;  // the largest relative error of a prediction so far
};

}  // namespace

std::optional<Duration> simulated_time(const MappedJob& job, const Confirmation& confirmation) {
  StrategyCandidate it{job, {}, nullptr};
  it.prepare(confirmation);
  if (it.messages(confirmation) > confirmation.messages) return std::nullopt;
  const Duration time = it.time();
  return time.count() > 0 ? std::optional(time) : std::nullopt;
}

void confirm_first(const JobSpec& spec, NetworkProvider& provider, const Confirmation& confirmation,
                   StrategySearch& search) {
  // Circuits are provisioned anew with more effort, which helps some strategies more than others.
  const std::vector<std::size_t> first =
      worth_simulating(search, provider.provisions() ? 1.5 : 1.15);
  if (first.size() < 2) return;
  ConfirmInOrder(spec, provider, confirmation, search).run(first);
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

}  // namespace loom::plan
