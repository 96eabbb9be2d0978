// Servers with a fast switch inside, joined by an ideal network: two bandwidths, no bottleneck
// else.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kClusterKind;

}  // namespace loom
