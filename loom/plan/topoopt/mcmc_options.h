// Budget and temperature of the MCMC search over operator configurations (mcmc_search.h).
#pragma once

#include <cstdint>
#include <functional>

namespace loom::plan {

struct McmcOptions {
  int proposals = 5000;  // per round, summed over all chains
  int rounds = 4;        // max alternations of strategy and topology
  int chains = 4;        // independent; their number affects the result, that of threads does not
  // A proposal that is slower by a fraction x is accepted with probability exp(-alpha · x).
  double alpha = 100;
  std::uint64_t seed = 1;
  int threads = 0;                            // 0: one per core
  std::function<void(double)> progress = {};  // fraction done; called from one thread at a time
};

}  // namespace loom::plan
