// The three-tier fat tree of k-port switches (Al-Fares et al., SIGCOMM 2008).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kFatTreeKind;

// Bill of the smallest fat tree for this many devices without oversubscription: the hardware behind
// an ideal switch.
Bill full_bisection_components(int devices, Bandwidth bandwidth);

}  // namespace loom::fabric
