// Interface of a planner, which chooses strategy, placement, network and collective algorithms for
// a training job on a fabric.
//
// To add a planner, write a header and a source in this folder that define a Planner, and add it to
// kPlanners in planners.h; its name is then a value of the key `partition`.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "loom/plan/strategies.h"
#include "loom/plan/topoopt/search_report.h"
#include "loom/plan/try_waiting.h"

namespace loom::plan {

// A job to be planned, and the fabric it runs on.
struct PlanRequest {
  JobSpec spec;
  std::shared_ptr<const fabric::Network> network;   // nullptr on a fabric of circuits
  const fabric::CircuitFabric* circuits = nullptr;  // nullptr on a fabric with fixed links
  bool confirm = true;                    // simulate the best candidates with the fluid engine
  std::int64_t max_messages = 2'000'000;  // that the fluid engine simulates to confirm them
  bool folding = true;                    // simulate one of each class of equivalent devices
  ChangesOn changes = nullptr;
  SearchOptions search = {};

  int devices() const { return circuits != nullptr ? circuits->devices() : network->devices; }
};

// The choice of a planner, and the search that led to it.
struct TrainingChoice {
  JobSpec spec;           // the job, with the batch that the search chose
  StrategySearch search;  // the candidates, fastest first
  parallelize::Strategy strategy;
  std::vector<parallelize::StageMemory> memory;  // memory of a device, per stage or per device of
                                                 // a group
  double flops = 0;       // per iteration over all devices, without recomputation
  double done_flops = 0;  // per iteration over all devices, with recomputation
  Waiting waiting;        // chosen in place of overlap; the spec already says so
  std::optional<SearchReport> search_report;  // report of the MCMC search, if there was one
};

struct PlannedTraining {
  TrainingChoice choice;
  MappedJob mapped;  // `mapped.infeasible` says why there is no plan
  // The job with other algorithms, which may suit circuits that change better.
  std::vector<place::LoweredJob> other_algorithms;
};

struct Planner {
  std::string_view name;
  std::string_view summary;
  PlannedTraining (*plan)(PlanRequest request);
  // Returns why this planner cannot plan the job: a key of the scenario (such as
  // "fabric.forwarding") and the value that it must have. nullptr: it can plan every job.
  std::optional<Objection> (*objection)(const PlanRequest& request) = nullptr;
  bool uniform = false;    // considers strategies that shard all layers the same way
  bool operators = false;  // considers strategies that partition each operator individually
  bool mcmc = false;       // has the options of the MCMC search
};

// Why no strategy is feasible; if all need too much memory, the memory that the smallest needs.
Infeasible why_infeasible(const JobSpec& spec, const StrategySearch& search, int devices);

}  // namespace loom::plan
