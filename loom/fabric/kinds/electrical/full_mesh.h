// A direct link from every device to every other.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kFullMeshKind;

// Each device has n - 1 links one after another, by the number of the device they lead to.
inline int mesh_link(int devices, int from, int to) {
  return from * (devices - 1) + to - (to > from ? 1 : 0);
}

// A link of this bandwidth from every device to every other.
Network fixed_mesh(int devices, Bandwidth channel, Duration latency);

}  // namespace loom
