// Which strategy for a job: every one that is allowed and fits in memory, priced by the analytic
// engine, the fastest first.
//
// The search is exact with respect to that price: a strategy is left out only where a bound shows
// that it cannot beat the best. The bound counts what the busiest stage must do one after another,
// its computations and the communication between them, and what a micro-batch needs to reach it and
// to come back.
//
// Strategies are looked at side by side on many threads; what is found, and what is counted as
// priced, is that of one after another.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loom/plan/shard_job.h"
#include "loom/simulate/engine.h"

namespace loom {

struct RankedStrategy {
  Strategy strategy;
  Bytes memory;           // of the stage that needs most
  Duration bound{0};      // no iteration is shorter
  Duration predicted{0};  // by the analytic engine; zero where the bound was enough
  Duration simulated{0};  // by the fluid engine; zero where it was not asked
};

struct StrategySearch {
  // Fastest first: those simulated, those priced, and by bound those not priced.
  std::vector<RankedStrategy> ranking;
  std::size_t possible = 0;  // ways to cut it
  std::size_t estimated = 0;
  std::optional<RankedStrategy> smallest;  // that does not fit, where none does
  std::string objection;                   // why none is possible
};

struct SearchOptions {
  int threads = 0;                                 // 0: as many as the machine has
  std::function<void(double)> progress = nullptr;  // part done, 0 to 1
};

// Fastest first; what was simulated before what was priced, and that before the others.
bool faster(const RankedStrategy& a, const RankedStrategy& b);

// All strategies for so many devices that the choice and the model allow.
std::vector<Strategy> possible_strategies(const JobSpec& spec, int devices, std::string& objection);

StrategySearch search_strategies(const JobSpec& spec, NetworkProvider& provider,
                                 const SearchOptions& options = {});

// The batch with which training ends first by the analytic engine, and how to cut it; of powers of
// two, and powers of two for each device, to 65,536. They are searched in the order of what no
// training with them can beat. Needs a law. `spec` gets the batch.
StrategySearch search_batches(JobSpec& spec, NetworkProvider& provider,
                              const SearchOptions& options = {});

// What links do over time, on the network that a strategy gets.
using ChangesOn = std::function<std::vector<LinkChange>(const Network&)>;

// Closed forms do not see collectives that meet on a link, nor links that change: the first few are
// simulated by the fluid engine, one of each price, and put first by what it says; as many as have
// together at most so many messages.
void confirm_first(const JobSpec& spec, NetworkProvider& provider, std::int64_t messages,
                   StrategySearch& search, bool folding = true, int threads = 0,
                   const ChangesOn& changes = nullptr);

// The iteration time that the analytic engine gives; kForever where the job cannot be carried.
Duration estimate_strategy(const JobSpec& spec, const Strategy& strategy,
                           NetworkProvider& provider);

// At most what price_strategy gives.
Duration bound_strategy(const ShardedModel& sharded, CollectiveEstimates& collectives);

}  // namespace loom
