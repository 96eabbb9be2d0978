// Ways over other devices that share the load: of each pair the k shortest ways without a circle,
// and how much of what it sends takes which.
//
// (TopoOpt, section 4.4, routes model-parallel traffic over k shortest paths.) Pairs are taken
// largest first, a quarter of each and then the next: laid all at once the first pairs would go
// round over links that the others still leave empty. A quarter takes the way that adds least to
// the sum over all links of the fourth power of their load, which spreads the largest loads and
// does not go far out of the way. Then every quarter is taken up once more and laid anew, twice.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "loom/fabric/network/graph.h"
#include "loom/fabric/network/network.h"
#include "loom/workload/demand.h"

namespace loom {

// A way as links, from the source on.
using Path = std::vector<int>;

// The `most` shortest ways without a circle by number of links, at most two links longer than the
// shortest; of equals those of lower link numbers first. `to_target` are the distances to it.
std::vector<Path> k_shortest_paths(const Graph& graph, const Distances& to_target, int source,
                                   int target, int max);

// By pair: its route. `transit[v]` is the link that what device v passes on crosses too; empty:
// none does. `laid` is what links carry already, in bytes.
using Routes = std::map<std::pair<int, int>, Route>;
Routes balanced_routes(const Network& network, const Graph& graph, const std::vector<int>& transit,
                       const Demand& demand, std::vector<double> laid);

}  // namespace loom
