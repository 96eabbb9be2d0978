// Budget and temperature of the MCMC search over operator configurations (mcmc_search.h).
#pragma once

#include <cstdint>
#include <functional>

namespace loom::plan {

struct McmcOptions {
  int proposals = 5000;  // number of proposals per round, summed over all chains
  int rounds = 4;        // max rounds; each optimizes the strategy, then the topology
  int chains = 4;        // number of independent chains; unlike that of threads, affects the result
  // A proposal that is slower by a fraction x is accepted with probability exp(-alpha · x).
  double alpha = 100;
  std::uint64_t seed = 1;
  int threads = 0;                            // 0: one per core
  std::function<void(double)> progress = {};  // fraction done; called from one thread at a time
};

}  // namespace loom::plan
