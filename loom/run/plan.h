// The stages before the engine: a scenario becomes a network and a workload.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loom/jobs/colocated/plan_jobs.h"
#include "loom/plan/choose_collective.h"
#include "loom/plan/circuits/circuit_phases.h"
#include "loom/plan/strategies.h"
#include "loom/plan/topoopt/search_report.h"
#include "loom/scenario/scenario.h"

namespace loom {

// Files that stand in for a stage, as `dump` wrote them.
struct Replacements {
  std::optional<std::string> links;
  std::optional<std::string> workload;
  std::optional<std::string> trace;
};

// "links=graph.yaml" and so on.
Replacements parse_replacements(std::span<const std::string> assignments);

// A training job with its strategy chosen.
struct PreparedJob {
  JobSpec spec;
  StrategySearch search;
  Strategy strategy;                // the first of the search
  std::vector<StageMemory> memory;  // by stage, or by device of a group
  double flops = 0;                 // of one iteration over all devices
  double done_flops = 0;
  LoweredJob lowered;                              // without its workload, which is Prepared's
  std::optional<SearchReport> search_report = {};  // partition: co_optimized
};

// Jobs that share the cluster, each planned; their workload is Prepared's.
struct PreparedJobs {
  std::vector<PlannedJob> jobs;
  std::vector<std::size_t> first;  // operation of each job; behind the last, of all
};

// A fabric of circuits, and those lit at first.
struct PreparedCircuits {
  CircuitFabric fabric;
  Provisioned provisioned;
  std::optional<CircuitPhases> phases = {};  // reconfigure: phases
};

struct Prepared {
  Network network;
  Workload workload;
  std::vector<LinkChange> changes;
  Engine engine = Engine::fluid;  // never automatic
  std::optional<PreparedJob> job;
  std::optional<PreparedJobs> jobs;
  std::optional<PreparedCircuits> circuits;
  std::string infeasible;  // why it cannot be run; "" if it can

  bool moving() const {  // circuits, while it runs
    return circuits && circuits->fabric.reconfigure != Reconfigure::one_shot;
  }
  std::vector<AlgorithmEstimate> considered;  // for algorithm: auto, cheapest first
};

// Of the links that the network has.
std::vector<LinkChange> changes_on(const Network& network, std::span<const Settings> changes);

Prepared prepare(const Scenario& scenario, const Replacements& replacements = {},
                 const SearchOptions& options = {});

}  // namespace loom
