// Chooses the algorithms of a job's collectives together.
//
// The algorithm that is fastest in isolation may load links that another collective needs at the
// same time. So one kind of collective after another is switched to each of its near-optimal
// algorithms, and the coarse engine estimates the whole job; a switch that saves time stays.
#pragma once

#include "loom/plan/shard_job.h"

namespace loom::plan {

// Returns whether an algorithm was switched. Jobs without a network, or on one whose provider has
// no alternatives, stay as they are.
bool choose_together(NetworkProvider& provider, ShardedJob& job);

}  // namespace loom::plan
