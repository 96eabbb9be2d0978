// Dragonfly: groups of fully connected routers, every group linked to every other (Kim et al., ISCA
// 2008).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kDragonflyKind;

}  // namespace loom::fabric
