// Description of a planner: a training job and a fabric in; strategy, placement, network and
// collective algorithms out.
//
// To add one, write a header and a source in this folder that define a Planner, and add it to
// kPlanners in planners.h; it is then a value of the key `partition`.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "loom/plan/strategies.h"
#include "loom/plan/topoopt/search_report.h"

namespace loom::plan {

// With more messages the fluid engine takes more than a few seconds.
inline constexpr std::int64_t kMaxFluidMessages = 2'000'000;

// A job to be planned, and the fabric it runs on.
struct PlanRequest {
  JobSpec spec;
  std::shared_ptr<const fabric::Network> network;   // nullptr on a fabric of circuits
  const fabric::CircuitFabric* circuits = nullptr;  // nullptr on a fabric with fixed links
  bool confirm = true;  // simulate the best candidates with the fluid engine
  bool folding = true;  // simulate equivalent devices once
  ChangesOn changes = nullptr;
  SearchOptions search = {};

  int devices() const { return circuits != nullptr ? circuits->devices() : network->devices; }
};

// What a planner chose, and why.
struct TrainingChoice {
  JobSpec spec;           // with the batch that the search chose
  StrategySearch search;  // the candidates, fastest first
  parallelize::Strategy strategy;
  std::vector<parallelize::StageMemory> memory;  // per stage, or per device of a group
  double flops = 0;                              // per iteration over all devices
  double done_flops = 0;                         // including recomputation
  std::optional<SearchReport> search_report;     // of an MCMC search
};

struct PlannedTraining {
  TrainingChoice choice;
  MappedJob mapped;  // infeasible: why there is no plan
};

struct Planner {
  std::string_view name;
  std::string_view summary;
  PlannedTraining (*plan)(PlanRequest request);
  // Why this planner cannot plan the job: a key of the scenario ("fabric.forwarding",
  // "workload.batch") and what it needs. nullptr: it always can.
  std::optional<Objection> (*objection)(const PlanRequest& request) = nullptr;
  bool uniform = false;    // considers strategies that shard all layers the same way
  bool operators = false;  // considers groups that partition operators one by one
  bool mcmc = false;       // reads the keys of the MCMC search
};

// Why none of the candidates is feasible, and what the job would need.
Infeasible why_infeasible(const JobSpec& spec, const StrategySearch& search, int devices);

}  // namespace loom::plan
