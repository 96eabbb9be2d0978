// Groups of routers, all joined inside a group and all groups joined (Kim et al., ISCA 2008).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kDragonflyKind;

}  // namespace loom
