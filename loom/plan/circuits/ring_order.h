// Collectives that go round a ring, on a network that says in which order neighbours are near.
#pragma once

#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom {

// The ranks of every group that goes round a ring come in the network's order, the first of each
// stays the first. What others do with the same groups stays as it is.
void order_rings(Workload& workload, const Network& network);

}  // namespace loom
