// Shoal: a rack of fast circuit switches with a static schedule; traffic is relayed over all nodes
// (Shrivastav et al., NSDI 2019).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kShoalKind;

}  // namespace loom::fabric
