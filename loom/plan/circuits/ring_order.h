// Orders the ranks of ring collectives on a network that specifies a ring order, in which
// consecutive devices are close to each other.
#pragma once

#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom::plan {

// Puts the ranks of every group that runs a ring algorithm in the network's ring order, starting
// with the group's first rank. Other operations keep the original order of the group.
workload::Workload with_ring_order(workload::Workload workload, const fabric::Network& network);

}  // namespace loom::plan
