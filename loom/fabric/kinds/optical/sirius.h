// Sirius: tunable lasers and passive gratings connect all pairs of nodes in turn, about once per
// microsecond; every message is relayed over all nodes (Ballani et al., SIGCOMM 2020).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kSiriusKind;

}  // namespace loom::fabric
