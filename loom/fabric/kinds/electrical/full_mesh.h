// A direct link from every device to every other.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kFullMeshKind;

// Number of the link between two devices: each device has n - 1 consecutive links, ordered by
// destination.
inline LinkId mesh_link(int devices, int from, int to) {
  return LinkId(from * (devices - 1) + to - (to > from ? 1 : 0));
}

// A full mesh whose links have this bandwidth.
Network fixed_mesh(int devices, Bandwidth channel, Duration latency);

}  // namespace loom::fabric
