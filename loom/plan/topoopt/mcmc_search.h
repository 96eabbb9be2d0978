// Markov-chain Monte Carlo search over operator configurations on a fixed network: TopoOpt's Comp ×
// Comm plane (NSDI 2023, section 4.1), which uses FlexFlow's search (MLSys 2019).
//
// A proposal gives a random operator a random configuration; with probability 1/4 each, it spreads
// to the memory-bound operators that follow it, or to a run of operators after it (as in FlexFlow),
// because two adjacent layers on different servers cost more than either configuration for both.
// Faster proposals are accepted, slower ones with a probability (McmcOptions::alpha), those beyond
// some server's memory never. The best of several independent, separately seeded chains wins, so
// the result does not depend on the number of threads.
#pragma once

#include <vector>

#include "loom/plan/topoopt/configuration_cost.h"
#include "loom/plan/topoopt/mcmc_options.h"
#include "loom/plan/topoopt/search_report.h"

namespace loom::plan {

struct McmcSearch {
  OperatorConfigurations configs;
  Duration time{0};  // by ConfigurationCost
  std::int64_t proposals = 0;
  std::int64_t accepted = 0;
  std::int64_t refused = 0;        // for lack of memory
  std::vector<SearchPoint> steps;  // each improvement, over all chains
};

// `start` must fit in memory. `round` selects the random stream, so rounds differ.
McmcSearch mcmc_search(const SearchSpace& space, NetworkLoads& loads,
                       const OperatorConfigurations& start, const McmcOptions& options,
                       int round = 0);

// Starting points: data parallel, except for the operators that single servers must own to fit in
// memory (largest weights first, each on the server that holds the least); and all tables owned, if
// that fits too. If neither fits, tables are owned and others are partitioned by parameters over
// all servers; Infeasible if that does not fit either.
std::variant<std::vector<OperatorConfigurations>, Infeasible> initial_configs(
    const SearchSpace& space);

// All operators data parallel, whether it fits in memory or not.
OperatorConfigurations data_parallel_configs(const SearchSpace& space);

}  // namespace loom::plan
