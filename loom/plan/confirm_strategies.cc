// Simulates the top-ranked strategies of a search with the fluid engine.
#include <algorithm>
#include <memory>
#include <set>
#include <span>

#include "loom/base/parallel.h"
#include "loom/plan/strategies.h"
#include "loom/simulate/engine.h"

namespace loom::plan {
namespace {

constexpr std::size_t kMaxConfirmed = 8;

// Indices into the ranking of the strategies to simulate: predicted times close to the best, one
// strategy per distinct time.
std::vector<std::size_t> worth_simulating(const StrategySearch& search) {
  constexpr double kNear = 1.15;  // times the best predicted time
  std::set<Duration> seen;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < search.ranking.size() && first.size() < kMaxConfirmed; ++i) {
    const Duration predicted = search.ranking[i].predicted;
    const auto best = static_cast<double>(search.ranking.front().predicted.count());
    if (predicted.count() == 0 || static_cast<double>(predicted.count()) > kNear * best) break;
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

// The number of candidates, from the first on, whose messages together do not exceed the limit.
std::size_t affordable(std::span<const StrategyCandidate> candidates, const Confirmation& how) {
  std::size_t count = 0;
  std::int64_t messages = how.messages;
  for (; count < candidates.size(); ++count) {
    messages -= candidates[count].messages(how);
    if (messages < 0) break;
  }
  return count;
}

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
  const std::vector<std::size_t> first = worth_simulating(search);
  if (first.size() < 2) return;
  std::vector<StrategyCandidate> candidates(first.size());
  for_each_index(first.size(), confirmation.threads, [&](std::size_t j) {
    candidates[j].job = shard_job(spec, search.ranking[first[j]].strategy, provider).mapped;
    candidates[j].prepare(confirmation);
  });
  for_each_index(affordable(candidates, confirmation), confirmation.threads,
                 [&](std::size_t j) { search.ranking[first[j]].simulated = candidates[j].time(); });
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

}  // namespace loom::plan
