// What TopologyFinder counts.
#pragma once

#include "loom/fabric/circuits/provision/topology/topology_finder.h"

namespace loom {

// Bytes that the members send in sum when they reduce over rings, each 2 (k - 1) / k of the buffer.
Int128 reduced_bytes(const AllReduceGroup& group);

}  // namespace loom
