// Load-balanced multi-hop routes: splits each pair's demand over its k shortest simple paths
// (TopoOpt, section 4.4, routes model-parallel traffic over k shortest paths).
//
// Demand is placed in rounds of a quarter per pair, largest pairs first: placed all at once, the
// first pairs would take detours over links that only look idle because other pairs are not placed
// yet. A quarter takes the path that adds least to the sum over links of (load / bandwidth)^4,
// which evens out the highest loads without long detours. Then every quarter is removed and placed
// again, twice.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "loom/fabric/network/graph.h"
#include "loom/fabric/network/network.h"
#include "loom/workload/demand.h"

namespace loom::fabric {

// A path: its links, in order from the source.
using Path = std::vector<LinkId>;

// The `max` shortest simple paths by number of links, at most two links longer than the shortest;
// ties go to lower link numbers. `to_target` holds the distances to the target.
std::vector<Path> k_shortest_paths(const Graph& graph, const Distances& to_target, NodeId source,
                                   NodeId target, int max);

// Routes by (source, destination). `transit[v]` is an additional link for the traffic that device v
// forwards; empty if there are no such links. `laid` is the load already on each link, in bytes.
using Routes = std::map<std::pair<DeviceId, DeviceId>, Route>;
Routes balanced_routes(const Network& network, const Graph& graph,
                       const std::vector<LinkId>& transit, const workload::Demand& demand,
                       std::vector<double> laid);

}  // namespace loom::fabric
