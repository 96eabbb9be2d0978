// Traffic volumes used by TopologyFinder.
#pragma once

#include "loom/fabric/circuits/provision/topology/topology_finder.h"

namespace loom::fabric {

// Total bytes that the k members of a group send in a ring all-reduce: each sends 2 (k - 1) / k
// times the buffer.
Int128 reduced_bytes(const AllReduceGroup& group);

}  // namespace loom::fabric
