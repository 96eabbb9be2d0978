// Places a profiled graph: partitions operators by samples, places the shards within a group and
// replicates the group; the operators include the backward pass. Keeps the shorter of two
// schedules, with and without partitioned operators: branches may gain more from separate devices.
//
// A gradient is summed as soon as it is computed, over the replicas and over the devices of the
// operators that use its variable, so that all have it for the next iteration. If these operators
// are on different devices, or unknown, that is the complete group.
#pragma once

#include <variant>

#include "loom/model/profiled_graph.h"
#include "loom/place/place_operators.h"

namespace loom::place {

// One iteration with a batch over all devices. Ignores manual partitions, fused passes and memory
// of the plan. The graph must know the batch of a replica, an integer if the group has several
// devices.
std::variant<PlacedJob, Infeasible> place_profile(const model::ProfiledGraph& graph,
                                                  std::int64_t batch, const OperatorPlan& plan,
                                                  const ChooseAlgorithm& choose);

// The first half: placement, before collectives have algorithms.
std::variant<GroupPlacement, Infeasible> place_profiled_group(const model::ProfiledGraph& graph,
                                                              std::int64_t batch,
                                                              const OperatorPlan& plan);

// The second half: lowering.
PlacedJob lower_profile(const model::ProfiledGraph& graph, const GroupPlacement& group,
                        std::int64_t batch, const OperatorPlan& plan,
                        const ChooseAlgorithm& choose);

}  // namespace loom::place
