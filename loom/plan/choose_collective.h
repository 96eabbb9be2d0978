// Chooses the algorithm of a collective: the analytic engine estimates every algorithm that fits,
// and the fastest wins. The list of estimates explains the choice.
#pragma once

#include <string>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom::plan {

struct AlgorithmEstimate {
  workload::Collective collective;
  Duration predicted{0};
};

// Whether a rank would have so many peers in this collective that no circuits are left for other
// groups.
bool too_many_peers(const workload::Collective& collective, int ranks);

// Levels for a hierarchical collective over these ranks: the network's levels if the ranks are all
// its devices; its innermost neighborhoods if the ranks fill some of them; otherwise none.
std::vector<int> suggested_levels(const std::vector<int>& ranks, const fabric::Network& network);

// Fastest first; ties go to the simpler algorithm, in the order of Algorithm. The algorithm of
// `collective` is ignored. Hierarchical uses the levels of `collective` if given, otherwise
// suggested_levels().
std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::Network& network);

// The same on circuits, provisioned for each algorithm; infeasible algorithms are left out.
std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const fabric::CircuitFabric& circuits);

// The same when many groups run the collective concurrently and share links.
std::vector<AlgorithmEstimate> estimate_algorithms(const workload::Collective& collective,
                                                   const workload::Groups& groups,
                                                   const fabric::Network& network);

}  // namespace loom::plan
