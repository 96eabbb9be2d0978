// A profiled graph on its devices: operators cut by samples, their pieces placed within a group,
// and the group replicated; backward is among the operators.
//
// Branches of a graph may gain more from devices of their own than from being cut: of the schedule
// with cuts and the one without the shorter is taken.
//
// A gradient is summed as soon as it is made, over the replicas and over the devices of those that
// use its variable: so all of them have it for the next iteration. Where these operators lie
// differently, or are not known, that is the whole group.
#pragma once

#include <variant>

#include "loom/model/profiled_graph.h"
#include "loom/place/place_operators.h"

namespace loom {

// One iteration with a batch over all devices. Of the plan manual cuts, fused passes and memory are
// not asked. Needs a batch of a replica that the graph knows, with several devices a whole one.
std::variant<PlacedJob, Infeasible> place_profile(const ProfiledGraph& graph, std::int64_t batch,
                                                  const OperatorPlan& plan,
                                                  const ChooseAlgorithm& choose);

// The first half of it: no collective has its algorithm yet.
std::variant<GroupPlacement, Infeasible> place_profiled_group(const ProfiledGraph& graph,
                                                              std::int64_t batch,
                                                              const OperatorPlan& plan);

// The second half.
PlacedJob lower_profile(const ProfiledGraph& graph, const GroupPlacement& group, std::int64_t batch,
                        const OperatorPlan& plan, const ChooseAlgorithm& choose);

}  // namespace loom
