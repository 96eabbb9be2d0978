// Markov-chain Monte Carlo over the ways of operators on a network that stays: TopoOpt's
// Comp × Comm plane (NSDI 2023, section 4.1), which takes FlexFlow's search (MLSys 2019).
//
// A proposal gives one operator another way at random: one time in four together with the passes
// over memory that follow it alone, one time in four with a run of operators after it (FlexFlow
// lets a way spread to neighbours too), for two layers that lie apart cost more than either way for
// both. What takes less time is taken, what takes longer only sometimes (WaySearchOptions::alpha);
// what does not fit into the memory of some server never. Several chains go apart from the same
// start, each with a stream of chance of its own, and the best of all counts: the same with any
// number of threads.
#pragma once

#include <vector>

#include "loom/plan/topoopt/configuration_cost.h"
#include "loom/plan/topoopt/mcmc_options.h"
#include "loom/plan/topoopt/search_report.h"

namespace loom {

struct McmcSearch {
  OperatorConfigurations configs;
  Duration time{0};  // as WayCost reckons it
  std::int64_t proposals = 0;
  std::int64_t accepted = 0;
  std::int64_t refused = 0;        // for want of memory
  std::vector<SearchPoint> steps;  // whenever something better was found, over all chains
};

// Needs a start that fits. `round` tells the chance of one search from that of the next.
McmcSearch mcmc_search(const SearchSpace& space, NetworkLoads& loads,
                       const OperatorConfigurations& start, const McmcOptions& options,
                       int round = 0);

// Where a search may begin: data parallel, but for as many operators as have to be owned by single
// servers so that memory suffices, those with most weights first, each where least is held; and all
// tables owned, if that fits too. Where neither fits tables are owned and others cut by parameters
// over all servers; Infeasible where even that does not.
std::variant<std::vector<OperatorConfigurations>, Infeasible> initial_configs(
    const SearchSpace& space);

// All operators data parallel, whether it fits or not.
OperatorConfigurations data_parallel_configs(const SearchSpace& space);

}  // namespace loom
