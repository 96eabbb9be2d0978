// Equal-cost bandwidth: the highest bandwidth at which one fabric costs no more than another, or
// with `same_power_as` draws no more. A fabric that exceeds the other at every bandwidth becomes an
// infeasible point at its lowest cost.
//   fabrics:
//     - {name: patch panel, kind: sip_ocs, …, bandwidth: 400 Gbps}
//     - {kind: fat_tree, bandwidth: {same_cost_as: patch panel}}
// The other fabric may also be described in place: {same_cost_as: {kind: sip_ocs, …}}.
#pragma once

#include <vector>

#include "loom/scenario/points.h"

namespace loom::scenario {

// Replaces every `same_cost_as` and `same_power_as` by the computed bandwidth, and adds the
// bandwidth to the axes of the point. If the other fabric has axes, a point becomes one point per
// variant of that fabric.
std::vector<PointTree> with_bought_bandwidths(std::vector<PointTree> points);

}  // namespace loom::scenario
