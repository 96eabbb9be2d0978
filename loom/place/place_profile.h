// Places a profiled graph: partitions operators by samples, places the shards within a group of
// devices and replicates the group. The graph contains the operators of the backward pass. Keeps
// the shorter of two schedules: with partitioned operators, and with whole operators, because
// parallel branches may gain more from running on different devices.
//
// A gradient is summed as soon as it is computed, over the replicas and over the devices of the
// operators that use its variable. If these operators are on different devices, or unknown, the
// gradient is summed over the complete group.
#pragma once

#include <variant>

#include "loom/model/profiled_graph.h"
#include "loom/place/place_operators.h"

namespace loom::place {

// Places one iteration with `batch` samples over all devices. Ignores the manual partitions and the
// fused passes of the plan. The plan must have no memory limit, because a profile does not record
// memory. The graph must have times for the batch of one replica; operators can be partitioned only
// if that batch is an integer.
std::variant<PlacedJob, Infeasible> place_profile(const model::ProfiledGraph& graph,
                                                  std::int64_t batch, const OperatorPlan& plan,
                                                  const ChooseAlgorithm& choose);

// The first half of place_profile(): placement, before collectives have algorithms.
std::variant<GroupPlacement, Infeasible> place_profiled_group(const model::ProfiledGraph& graph,
                                                              std::int64_t batch,
                                                              const OperatorPlan& plan);

// The second half of place_profile(): lowering to operations.
PlacedJob lower_profile(const model::ProfiledGraph& graph, const GroupPlacement& group,
                        std::int64_t batch, const OperatorPlan& plan,
                        const ChooseAlgorithm& choose);

}  // namespace loom::place
