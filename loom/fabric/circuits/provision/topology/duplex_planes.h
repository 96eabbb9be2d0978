// Planes on which a port's two fibres are patched together: on each a device is joined, both ways,
// to at most one other.
//
// Such planes are colours for the edges of a graph that need not be bipartite: d of them are not
// always enough for d circuits at each device. A circle of an odd number of devices has two at each
// and takes three planes.
#pragma once

#include <span>
#include <vector>

#include "loom/fabric/circuits/provision/topology/topology_edges.h"

namespace loom {

struct DuplexPlanes {
  std::vector<int> plane;  // by join
  int planes = 0;          // that are used
};

// Needs joins that come in pairs, one each way. Uses as few planes as alternating paths find, in
// several orders; more than the largest degree where they find no way.
DuplexPlanes duplex_planes(int devices, std::span<const Edge> directed_edges);

}  // namespace loom
