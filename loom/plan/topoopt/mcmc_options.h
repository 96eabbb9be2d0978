// How long and how boldly a search over the ways of operators goes (plan/topoopt/mcmc_search.h).
#pragma once

#include <cstdint>
#include <functional>

namespace loom {

struct McmcOptions {
  int proposals = 5000;  // in each round, all chains together
  int rounds = 4;        // of strategy and topology in turn, at most
  int chains = 4;        // that begin apart; their number decides what is found, threads do not
  // A proposal that takes longer by a share x of the time is accepted with exp(-alpha · x).
  double alpha = 100;
  std::uint64_t seed = 1;
  int threads = 0;                            // 0: as many as the machine has
  std::function<void(double)> progress = {};  // part done; called from one thread at a time
};

}  // namespace loom
