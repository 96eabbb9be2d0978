// Searches for the strategy of a job: estimates every allowed strategy that fits in memory with the
// analytic engine, fastest first.
//
// Exact with respect to that estimate: a strategy is skipped only if a lower bound shows that it
// cannot beat the best. The bound counts the sequential work of the busiest stage (computation and
// the communication in between) and the time for a micro-batch to reach it and return.
//
// Runs on many threads; results and counts equal those of a sequential search.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loom/plan/shard_job.h"
#include "loom/simulate/engine.h"

namespace loom::plan {

struct RankedStrategy {
  parallelize::Strategy strategy;
  Bytes memory;           // on the stage that needs the most
  Duration bound{0};      // lower bound on the iteration time
  Duration predicted{0};  // by the analytic engine; zero if the bound was enough
  Duration simulated{0};  // by the fluid engine; zero if not simulated
};

struct StrategySearch {
  // Fastest first: simulated ones, then estimated ones, then the others by bound.
  std::vector<RankedStrategy> ranking;
  std::size_t possible = 0;  // number of possible strategies
  std::size_t estimated = 0;
  std::optional<RankedStrategy> smallest;  // needs the least memory, if none fits
  std::optional<Infeasible> objection;     // why none is possible
};

struct SearchOptions {
  int threads = 0;                                 // 0: one per core
  std::function<void(double)> progress = nullptr;  // fraction done, 0 to 1
};

// Orders simulated strategies before estimated ones, and those before the others; each by time.
bool faster(const RankedStrategy& a, const RankedStrategy& b);

// All strategies for this number of devices that the user's choice and the model allow, and the
// first reason why one is left out.
struct PossibleStrategies {
  std::vector<parallelize::Strategy> all;
  std::optional<Infeasible> objection;
};

PossibleStrategies possible_strategies(const JobSpec& spec, int devices);

StrategySearch search_strategies(const JobSpec& spec, NetworkProvider& provider,
                                 const SearchOptions& options = {});

// Finds the batch size, and the strategy for it, with the shortest training time by the analytic
// engine. Candidates are powers of two, and powers of two per device, up to 65,536, searched in the
// order of their lower bounds. Needs an accuracy law. Stores the batch in `spec`.
StrategySearch search_batches(JobSpec& spec, NetworkProvider& provider,
                              const SearchOptions& options = {});

// Link changes over time on the network of a strategy.
using ChangesOn = std::function<std::vector<simulate::LinkChange>(const fabric::Network&)>;

// Closed forms ignore collectives that contend for a link, and links that change. The top-ranked
// strategies, one per distinct estimate, are therefore simulated by the fluid engine and re-ranked
// by its result, as long as their messages together do not exceed `messages`.
void confirm_first(const JobSpec& spec, NetworkProvider& provider, std::int64_t messages,
                   StrategySearch& search, bool folding = true, int threads = 0,
                   const ChangesOn& changes = nullptr);

// Iteration time predicted by the analytic engine; kForever if no network can carry the job.
Duration estimate_strategy(const JobSpec& spec, const parallelize::Strategy& strategy,
                           NetworkProvider& provider);

// Lower bound on estimate_strategy().
Duration bound_strategy(const parallelize::ShardedModel& sharded, CollectiveEstimates& collectives);

}  // namespace loom::plan
