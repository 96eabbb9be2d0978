// Assigns circuits to duplex planes, on which the two fibers of a port are patched together: on
// each plane a device is connected, in both directions, to at most one other device.
//
// This is edge coloring of a general graph, so d planes are not always enough for d circuits per
// device: a cycle of an odd number of devices has degree two and takes three planes.
#pragma once

#include <span>
#include <vector>

#include "loom/fabric/circuits/provision/topology/topology_edges.h"

namespace loom::fabric {

struct DuplexPlanes {
  std::vector<int> plane;  // per directed edge
  int planes = 0;          // number of planes used
};

// Needs edges that come in pairs, one per direction. Tries as many planes as the max degree first,
// with alternating paths and several edge orders, and adds planes until all edges fit.
DuplexPlanes duplex_planes(int devices, std::span<const Edge> directed_edges);

}  // namespace loom::fabric
