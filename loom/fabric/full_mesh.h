// A direct link from every device to every other.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kFullMeshKind;

// A link of this bandwidth from every device to every other.
Network fixed_mesh(int devices, Bandwidth channel, Duration latency);

}  // namespace loom
