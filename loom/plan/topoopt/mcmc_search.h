// Markov-chain Monte Carlo search over operator configurations on a fixed network: TopoOpt's Comp ×
// Comm plane (NSDI 2023, section 4.1), which uses FlexFlow's search (MLSys 2019).
//
// A proposal gives a random operator a random configuration. With probability 1/4 each, operators
// without parameters that depend only on it, or a run of operators after it (as in FlexFlow), get
// the same configuration, because adjacent layers on different servers cost more. A faster proposal
// is accepted, a slower one with a probability (McmcOptions::alpha), one that exceeds a server's
// memory never. The best of several independently seeded chains wins, so the result does not depend
// on the number of threads.
#pragma once

#include <vector>

#include "loom/plan/topoopt/configuration_cost.h"
#include "loom/plan/topoopt/mcmc_options.h"
#include "loom/plan/topoopt/search_report.h"

namespace loom::plan {

struct McmcSearch {
  OperatorConfigurations configs;
  Duration time{0};  // predicted by ConfigurationCost
  std::int64_t proposals = 0;
  std::int64_t accepted = 0;
  std::int64_t refused = 0;        // number of proposals that exceeded a server's memory
  std::vector<SearchPoint> steps;  // each improvement, over all chains
};

// `start` must fit in memory. `round` selects the random stream, so that rounds differ.
McmcSearch mcmc_search(const SearchSpace& space, NetworkLoads& loads,
                       const OperatorConfigurations& start, const McmcOptions& options,
                       int round = 0);

// Starting points of the search. In the first, single servers own as many operators as memory
// requires (largest weights first, each on the server that holds the least), and the others are
// data parallel. In the second, if it fits, single servers own all embedding tables. If neither
// fits, single servers own the tables and other operators are partitioned by parameters over all
// servers. Infeasible if that does not fit either.
std::variant<std::vector<OperatorConfigurations>, Infeasible> initial_configs(
    const SearchSpace& space);

// All operators data parallel, whether it fits in memory or not.
OperatorConfigurations data_parallel_configs(const SearchSpace& space);

}  // namespace loom::plan
