// Sirius: tunable lasers and passive gratings that join all nodes in turn, every microsecond or so,
// and every message relayed over all of them (Ballani et al., SIGCOMM 2020).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kSiriusKind;

}  // namespace loom
