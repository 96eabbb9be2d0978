// Simulates the top-ranked strategies of a search with the fluid engine.
#include <algorithm>
#include <set>

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

struct StrategyCandidate {
  MappedJob job;
  std::vector<simulate::LinkChange> changes;
};

// Number of messages that the engine must simulate: all if link changes may break symmetries.
std::int64_t messages_of(const StrategyCandidate& it, std::int64_t affordable) {
  const workload::Workload& workload = it.job.lowered.workload;
  const std::int64_t all = message_count(workload);
  if (all <= affordable || !it.changes.empty()) return all;
  return simulate::followed_messages(workload, *it.job.network);
}

// Simulated iteration time; zero if the simulation deadlocks.
Duration simulated_time(const StrategyCandidate& it, bool folding) {
  simulate::EngineOptions options;
  options.folding = folding;
  const place::LoweredJob& lowered = it.job.lowered;
  const simulate::Outcome outcome =
      simulate_fluid(lowered.workload, *it.job.network, it.changes, options);
  return outcome.deadlock ? Duration(0) : iteration_time(lowered, outcome.operation_end);
}

}  // namespace

void confirm_first(const JobSpec& spec, NetworkProvider& provider, std::int64_t messages,
                   StrategySearch& search, bool folding, int threads, const ChangesOn& changes) {
  const std::vector<std::size_t> first = worth_simulating(search);
  if (first.size() < 2) return;
  std::vector<StrategyCandidate> affordable;
  for (const std::size_t i : first) {
    StrategyCandidate it{shard_job(spec, search.ranking[i].strategy, provider).mapped, {}};
    if (changes) it.changes = changes(*it.job.network);
    messages -= messages_of(it, messages);
    if (messages < 0) break;
    affordable.push_back(std::move(it));
  }
  for_each_index(affordable.size(), threads, [&](std::size_t j) {
    search.ranking[first[j]].simulated = simulated_time(affordable[j], folding);
  });
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

}  // namespace loom::plan
