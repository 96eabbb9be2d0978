// A direct link from every device to every other.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kFullMeshKind;

// Link number: each device has n - 1 consecutive links, ordered by destination.
inline int mesh_link(int devices, int from, int to) {
  return from * (devices - 1) + to - (to > from ? 1 : 0);
}

// A link of this bandwidth from every device to every other.
Network fixed_mesh(int devices, Bandwidth channel, Duration latency);

}  // namespace loom::fabric
