// Fabrics that are given the bandwidth that another one's money buys:
//   fabrics:
//     - {name: patch panel, kind: sip_ocs, …, bandwidth: 400 Gbps}
//     - {kind: fat_tree, bandwidth: {same_cost_as: patch panel}}
// In place of the name a fabric may be described: {same_cost_as: {kind: sip_ocs, …}}.
#pragma once

#include <vector>

#include "loom/scenario/points.h"

namespace loom {

// The points with every such bandwidth found, and named in their axes. A fabric that another one
// names may itself vary: for each of its values there is a point.
std::vector<PointTree> with_bought_bandwidths(std::vector<PointTree> points);

}  // namespace loom
