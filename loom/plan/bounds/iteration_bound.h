// Lower bound on the iteration time of a strategy that shards all layers the same way, whatever
// circuits, routes and algorithms are chosen.
//
// Follows the tasks of one iteration through the pipeline as they depend on each other, from the
// time point at which a stage is free until it is free again: forward and backward passes,
// reductions of gradients in sequence, the optimizer and the gathering of weights. A collective
// takes a rank the time of the bytes that it must send at full egress bandwidth, averaged over all
// ranks; so the result bounds the mean over the ranks of a stage, and the slowest takes at least
// the mean. The bytes that a device must send after any point of the chain also bound the rest of
// the iteration. Costs O(steps + tasks).
#pragma once

#include <functional>

#include "loom/parallelize/shard.h"
#include "loom/plan/bounds/capacity.h"

namespace loom::plan {

// Lower bound on the mean time of a rank in a collective, where the network is fixed and more is
// known than its capacity (rank_bound.h). May be empty.
using RankBound =
    std::function<Duration(const workload::Collective& wanted, const workload::Groups& groups)>;

// Lower bound that follows from the order of the work.
Duration chain_of_iteration(const parallelize::ShardedModel& sharded, const Capacity& capacity,
                            const RankBound& rank_bound = nullptr);

// Lower bound that follows from the bytes of the iteration.
Duration traffic_of_iteration(const parallelize::ShardedModel& sharded, const Capacity& capacity);

}  // namespace loom::plan
