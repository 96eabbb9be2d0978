// The first strategies of a search, simulated by the fluid engine.
#include <algorithm>
#include <set>

#include "loom/base/parallel.h"
#include "loom/plan/strategies.h"
#include "loom/simulate/engine.h"

namespace loom {
namespace {

constexpr std::size_t kMost = 8;

// Places in the ranking: of each price one, near the best.
std::vector<std::size_t> worth_simulating(const StrategySearch& search) {
  constexpr double kNear = 1.15;  // of the best price: what lies above is not worth the time
  std::set<Duration> prices;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < search.ranking.size() && first.size() < kMost; ++i) {
    const Duration price = search.ranking[i].predicted;
    const auto best = static_cast<double>(search.ranking.front().predicted.count());
    if (price.count() == 0 || static_cast<double>(price.count()) > kNear * best) break;
    if (prices.insert(price).second) first.push_back(i);
  }
  return first;
}

// That the engine has to follow.
std::int64_t messages_of(const GroundedJob& job, bool folding, std::int64_t affordable) {
  const std::int64_t all = message_count(job.lowered.workload);
  if (!folding || all <= affordable) return all;
  return followed_messages(job.lowered.workload, *job.network);
}

}  // namespace

void confirm_first(const JobSpec& spec, JobGround& ground, std::int64_t messages,
                   StrategySearch& search, bool folding, int threads) {
  const std::vector<std::size_t> first = worth_simulating(search);
  if (first.size() < 2) return;
  std::vector<GroundedJob> jobs;  // that can be afforded
  for (const std::size_t i : first) {
    GroundedJob job = cut_job(spec, search.ranking[i].strategy, ground).grounded;
    messages -= messages_of(job, folding, messages);
    if (messages < 0) break;
    jobs.push_back(std::move(job));
  }
  for_each_index(jobs.size(), threads, [&](std::size_t j) {
    EngineOptions options;
    options.folding = folding;
    const GroundedJob& job = jobs[j];
    search.ranking[first[j]].simulated = iteration_time(
        job.lowered, simulate_fluid(job.lowered.workload, *job.network, {}, options).operation_end);
  });
  std::stable_sort(search.ranking.begin(), search.ranking.end(), faster);
}

}  // namespace loom
