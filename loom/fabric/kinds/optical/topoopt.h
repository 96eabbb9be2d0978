// TopoOpt: servers have d ports each, port i on optical plane i. Circuits are set once per job;
// servers forward traffic between pairs without a circuit (Wang et al., NSDI 2023).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kTopooptKind;

}  // namespace loom::fabric
