// Which algorithm for a collective: every one that fits, priced by the analytic engine, the
// cheapest taken. The list of prices says why.
#pragma once

#include <string>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom {

struct AlgorithmEstimate {
  Collective collective;
  Duration predicted{0};
};

// Over circuits, whether so many ranks would all be each other's peers that none are left for any.
bool too_many_peers(const Collective& collective, int ranks);

// Levels for a hierarchical collective over these ranks: the network's where they are all its
// devices, its innermost neighbourhoods where they fill some of them, else none.
std::vector<int> suggested_levels(const std::vector<int>& ranks, const Network& network);

// Cheapest first; of equals the simpler one, in the order of Algorithm. `collective` says what is
// to be done; its algorithm is ignored. Hierarchical is tried with its levels, or else with those
// that the network suggests.
std::vector<AlgorithmEstimate> estimate_algorithms(const Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const Network& network);

// The same over circuits, lit for each algorithm; those that they cannot carry are left out.
std::vector<AlgorithmEstimate> estimate_algorithms(const Collective& collective,
                                                   const std::vector<int>& ranks,
                                                   const CircuitFabric& circuits);

// The same where many groups do it side by side and share links.
std::vector<AlgorithmEstimate> estimate_algorithms(const Collective& collective,
                                                   const Groups& groups, const Network& network);

}  // namespace loom
