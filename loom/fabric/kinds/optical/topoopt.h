// TopoOpt: servers with d ports each, port i on optical plane i, set once for a job; who is not a
// neighbour is reached over others (Wang et al., NSDI 2023).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kTopooptKind;

}  // namespace loom
