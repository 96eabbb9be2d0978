// Equal-cost bandwidth: the highest bandwidth at which one fabric costs no more than another.
//   fabrics:
//     - {name: patch panel, kind: sip_ocs, …, bandwidth: 400 Gbps}
//     - {kind: fat_tree, bandwidth: {same_cost_as: patch panel}}
// The other fabric may also be described in place: {same_cost_as: {kind: sip_ocs, …}}.
#pragma once

#include <vector>

#include "loom/scenario/points.h"

namespace loom::scenario {

// Returns the points with every such bandwidth computed and added to their axes. The other fabric
// may itself vary: each of its values makes a point.
std::vector<PointTree> with_bought_bandwidths(std::vector<PointTree> points);

}  // namespace loom::scenario
