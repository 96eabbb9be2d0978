// Searches for the fastest strategy of a job: estimates every allowed strategy that fits in memory
// with the coarse engine, and ranks them.
//
// On fixed networks the search is exact with respect to that estimate: a strategy is skipped only
// if its lower bound shows that it cannot beat the best. On circuits, which are provisioned for
// each strategy, only the most promising are estimated (promising.h). The bound counts the
// sequential work of the busiest stage (computation and the communication in between) and the time
// for a micro-batch to reach that stage and return. Runs on many threads; results and counts equal
// those of a sequential search.
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
  Bytes memory;           // memory of a device, on the stage that needs the most
  Duration bound{0};      // lower bound on the iteration time
  Duration predicted{0};  // by the coarse engine; zero if the bound already ruled it out
  Duration simulated{0};  // by the fluid engine; zero if not simulated
  Duration promise{0};    // rank among strategies on circuits (promising.h); zero if unknown
};

struct StrategySearch {
  // Simulated strategies, then estimated ones, then the others by bound; each fastest first.
  std::vector<RankedStrategy> ranking;
  std::size_t possible = 0;                // number of possible strategies
  std::size_t estimated = 0;               // number of strategies estimated
  std::optional<RankedStrategy> smallest;  // strategy with the least memory among those too large
  std::optional<Infeasible> objection;     // why a strategy was left out

  // No strategy that fits in memory takes less time.
  Duration lower_bound() const;

  // Number of strategies without an estimate whose bounds do not rule them out.
  std::size_t unexamined() const;
};

struct SearchOptions {
  int threads = 0;                                 // 0: one per core
  std::function<void(double)> progress = nullptr;  // fraction done, 0 to 1
};

// Whether `a` ranks before `b`: simulated strategies come first, then estimated ones, then the
// others, each by time.
bool faster(const RankedStrategy& a, const RankedStrategy& b);

// All strategies for a number of devices that the user's choice and the model allow.
struct PossibleStrategies {
  std::vector<parallelize::Strategy> all;
  std::optional<Infeasible> objection;  // why the first strategy left out is not possible
};

PossibleStrategies possible_strategies(const JobSpec& spec, int devices);

// The same strategy with its dimensions mapped to devices in every other order that differs.
std::vector<parallelize::Strategy> in_other_orders(parallelize::Strategy strategy);

StrategySearch search_strategies(const JobSpec& spec, NetworkProvider& provider,
                                 const SearchOptions& options = {});

// Finds the batch size and the strategy with the shortest training time, as estimated by the
// coarse engine. Candidate batches are powers of two, and powers of two times the number of
// devices, up to 65,536, in the order of their lower bounds. Needs an accuracy law. Stores the
// batch in `spec`.
StrategySearch search_batches(JobSpec& spec, NetworkProvider& provider,
                              const SearchOptions& options = {});

// Returns the changes of links over time on a network.
using ChangesOn = std::function<std::vector<simulate::LinkChange>(const fabric::Network&)>;

// How strategies are confirmed by the fluid engine.
struct Confirmation {
  std::int64_t messages = 0;  // max number of messages of all simulated strategies together
  bool folding = true;
  int threads = 0;
  ChangesOn changes = nullptr;
};

// Simulates the top-ranked strategies with the fluid engine, one per distinct estimate, and ranks
// them by the result, as long as their messages are within the limit, and until the errors of the
// estimates show that the rest cannot be faster. The coarse engine is mostly within 5 % if
// collectives contend for links, and ignores links that change.
void confirm_first(const JobSpec& spec, NetworkProvider& provider, const Confirmation& confirmation,
                   StrategySearch& search);

// The iteration time by the fluid engine; nothing if the run deadlocks or has too many messages.
std::optional<Duration> simulated_time(const MappedJob& job, const Confirmation& confirmation);

// Iteration time predicted by the coarse engine; kForever if no network can carry the job.
Duration estimate_strategy(const JobSpec& spec, const parallelize::Strategy& strategy,
                           NetworkProvider& provider);

}  // namespace loom::plan
