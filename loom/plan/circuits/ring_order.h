// Orders the ranks of ring collectives on a network that specifies an order in which neighbors are
// close.
#pragma once

#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom::plan {

// Puts the ranks of every group that runs a ring algorithm in the network's order, keeping the
// first rank of each. Other operations on the same groups keep their order.
workload::Workload with_ring_order(workload::Workload workload, const fabric::Network& network);

}  // namespace loom::plan
