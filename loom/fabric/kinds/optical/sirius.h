// Sirius: tunable lasers and passive gratings that connect all nodes in turn, every microsecond or
// so; every message is relayed over all of them (Ballani et al., SIGCOMM 2020).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kSiriusKind;

}  // namespace loom::fabric
