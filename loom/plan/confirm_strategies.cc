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
};

// Simulated iteration time; zero if the simulation deadlocks.
Duration simulated_time(const StrategyCandidate& it) {
  const simulate::Outcome outcome = it.run->simulate();
  return outcome.deadlock ? Duration(0) : iteration_time(it.job.lowered, outcome.operation_end);
}

// Number of messages that count against what is affordable: with folding, whether it is on or off,
// so that both choose the same strategy. Changes of links may break symmetries.
std::int64_t messages_of(const StrategyCandidate& it, bool folding) {
  const workload::Workload& workload = it.job.lowered.workload;
  if (!it.changes.empty()) return message_count(workload);
  return folding ? it.run->messages() : simulate::followed_messages(workload, *it.job.network);
}

// The number of candidates, from the first on, whose messages together do not exceed `messages`.
std::size_t affordable(std::span<const StrategyCandidate> candidates, std::int64_t messages,
                       bool folding) {
  std::size_t count = 0;
  for (; count < candidates.size(); ++count) {
    messages -= messages_of(candidates[count], folding);
    if (messages < 0) break;
  }
  return count;
}

}  // namespace

void confirm_first(const JobSpec& spec, NetworkProvider& provider, std::int64_t messages,
                   StrategySearch& search, bool folding, int threads, const ChangesOn& changes) {
  const std::vector<std::size_t> first = worth_simulating(search);
  if (first.size() < 2) return;
  simulate::EngineOptions options;
  options.folding = folding;
  std::vector<StrategyCandidate> candidates(first.size());
  for_each_index(first.size(), threads, [&](std::size_t j) {
    StrategyCandidate& it = candidates[j];
    it.job = shard_job(spec, search.ranking[first[j]].strategy, provider).mapped;
    if (changes) it.changes = changes(*it.job.network);
    it.run = std::make_unique<const simulate::FluidRun>(it.job.lowered.workload, *it.job.network,
                                                        it.changes, options);
  });
  for_each_index(affordable(candidates, messages, folding), threads, [&](std::size_t j) {
    search.ranking[first[j]].simulated = simulated_time(candidates[j]);
  });
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

}  // namespace loom::plan
