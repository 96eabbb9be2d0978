// Lower bounds on the iteration time of a uniform strategy in the fluid engine, whatever its
// collectives share links with and in whatever order their ranks join (rank_bound.h).
#pragma once

#include "loom/parallelize/shard.h"
#include "loom/place/lower.h"
#include "loom/plan/network_provider.h"

namespace loom::plan {

// Whatever algorithms are chosen.
Duration bound_strategy(const parallelize::ShardedModel& sharded, NetworkProvider& provider);

// On these circuits, if the algorithms follow the rule.
Duration bound_on_circuits(const parallelize::ShardedModel& sharded,
                           const place::ChooseAlgorithm& rule, const CircuitLayout& layout);

}  // namespace loom::plan
