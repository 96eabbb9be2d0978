// TopoOpt's alternating optimization (NSDI 2023, section 4): finds operator configurations for a
// fixed topology, then a topology for the traffic of the best configurations, and repeats until
// nothing improves.
//
// On a given network the topology is fixed, so one round is enough.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "loom/plan/topoopt/mcmc_search.h"
#include "loom/plan/topoopt/search_report.h"

namespace loom::plan {

// Provides the network for the traffic of a job whose collectives are plain rings. The search ends
// when the same network is returned twice.
using ProvideNetwork = std::function<ProvidedNetwork(const place::LoweredJob& job)>;

struct CoOptimized {
  OperatorConfigurations configs;
  ProvidedNetwork provided;
  Duration predicted{0};  // by ConfigurationCost
  std::vector<SearchRound> rounds;
};

SearchReport search_report(const SearchSpace& space, const CoOptimized& found);

std::variant<CoOptimized, Infeasible> co_optimize(const SearchSpace& space,
                                                  const ProvideNetwork& make,
                                                  const McmcOptions& options);

// Returns the collective with the default algorithm of its kind: a plain ring where possible.
workload::Collective plain_ring(const workload::Collective& wanted, const workload::Groups& groups);

}  // namespace loom::plan
