// Servers with a fast internal switch, connected by an ideal network: two bandwidths, no other
// bottleneck.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kClusterKind;

}  // namespace loom::fabric
