// TopoOpt's alternating optimization (NSDI 2023, section 4): ways of operators for a topology that
// stays, then a topology for the traffic of the best ways, in turn, until nothing is gained.
//
// On a network that is given the second half has no choice, and one round is all.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "loom/plan/topoopt/mcmc_search.h"
#include "loom/plan/topoopt/search_report.h"

namespace loom {

// The network for what a job sends, its collectives written as plain rings. The same network twice
// ends the search.
using ProvideNetwork = std::function<ProvidedNetwork(const LoweredJob& job)>;

struct CoOptimized {
  OperatorConfigurations configs;
  ProvidedNetwork provided;
  Duration predicted{0};  // as WayCost reckons it
  std::vector<SearchRound> rounds;
};

SearchReport search_report(const SearchSpace& space, const CoOptimized& found);

std::variant<CoOptimized, Infeasible> co_optimize(const SearchSpace& space,
                                                  const ProvideNetwork& make,
                                                  const McmcOptions& options);

// Collectives as plain rings, or as what else usually does them.
Collective plain_ring(const Collective& wanted, const Groups& groups);

}  // namespace loom
