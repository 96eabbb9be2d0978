// A direct link from every device to every other.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kFullMeshKind;

}  // namespace loom
