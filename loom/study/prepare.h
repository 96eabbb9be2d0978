// The stages before the engine: a scenario becomes a network and a workload.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loom/plan/choose_collective.h"
#include "loom/plan/strategies.h"
#include "loom/study/scenario.h"

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
  ShardedModel sharded;
  LoweredJob lowered;      // without its workload, which is Prepared's
  std::string infeasible;  // why it cannot be done; "" if it can
};

struct Prepared {
  Network network;
  Workload workload;
  std::vector<LinkChange> changes;
  Engine engine = Engine::fluid;  // never automatic
  std::optional<PreparedJob> job;
  std::vector<PricedAlgorithm> considered;  // for algorithm: auto, cheapest first
};

Prepared prepare(const Scenario& scenario, const Replacements& replacements = {},
                 const std::function<void(double)>& progress = nullptr);

}  // namespace loom
