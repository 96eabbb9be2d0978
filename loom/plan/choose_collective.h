// Chooses the algorithm of a collective: the coarse engine estimates every algorithm that can
// perform it, and the fastest wins. The list of estimates explains the choice. The number of chunks
// is part of the choice where data passes through chains or trees of ranks, which are fast only if
// ranks forward one chunk while they receive the next.
#pragma once

#include <string>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/network/network.h"
#include "loom/simulate/engine.h"
#include "loom/workload/workload.h"

namespace loom::plan {

struct AlgorithmEstimate {
  workload::Collective collective;
  Duration predicted{0};
};

// Collective::chunks if the number of chunks is to be chosen with the algorithm.
inline constexpr int kAnyChunks = 0;

// Numbers of chunks to try, ascending: more than one only with kAnyChunks, in a chain or a tree.
std::vector<int> chunk_counts(const workload::Collective& collective, int ranks);

// Whether a rank would have so many peers in this collective that no circuits are left for other
// groups.
bool too_many_peers(const workload::Collective& collective, int ranks);

// Whether the collective is not considered because it is a line with a channel for every pair of
// its many ranks.
bool too_long_a_line(const workload::Collective& collective, int ranks);

// Levels for a hierarchical collective over these ranks. If the ranks are all devices of the
// network, its levels; if they fill several of its innermost neighborhoods (such as servers), two
// levels: inside and between them; otherwise none.
std::vector<int> suggested_levels(const std::vector<int>& ranks, const fabric::Network& network);

// Estimates all algorithms of a collective, fastest first; ties are in the order of Algorithm,
// simpler first. The algorithm of `collective` is ignored. The hierarchical algorithm uses the
// levels of `collective` if given, otherwise suggested_levels(). With kAnyChunks each algorithm has
// the number of chunks with which it is fastest, among powers of four.
std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::Network& network);

// The same on circuits, which are provisioned for each algorithm; infeasible algorithms are left
// out.
std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::CircuitFabric& circuits);

// The collectives that can take the place of `collective`: one for each algorithm that can perform
// it in groups of these ranks and, with kAnyChunks, for each number of chunks, ascending. The
// hierarchical algorithm gets levels as above.
std::vector<workload::Collective> possible_algorithms(const workload::Collective& collective,
                                                      const std::vector<int>& ranks,
                                                      const fabric::Network& network);

// A workload in which all groups run the collective concurrently, in the ring order of the network.
workload::Workload concurrent(const workload::Collective& collective,
                              const workload::Groups& groups, const fabric::Network& network);

// The estimates for groups that run the collective concurrently and share links. `times` are
// isolated times on this network that are known or will be needed again. Algorithms may be left out
// if they take more than `within` times as long as the fastest.
std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const workload::Groups& groups,
                                                   const fabric::Network& network,
                                                   simulate::IsolatedTimes& times, double within);

}  // namespace loom::plan
