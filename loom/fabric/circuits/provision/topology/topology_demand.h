// Traffic volumes used by TopologyFinder.
#pragma once

#include "loom/fabric/circuits/provision/topology/topology_finder.h"

namespace loom::fabric {

// Total bytes that the members send in a ring all-reduce, each 2 (k - 1) / k of the buffer.
Int128 reduced_bytes(const AllReduceGroup& group);

}  // namespace loom::fabric
