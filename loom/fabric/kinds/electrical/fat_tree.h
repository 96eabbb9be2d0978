// The three-tier fat tree of k-port switches (Al-Fares et al., SIGCOMM 2008).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kFatTreeKind;

// Bill of materials of the smallest fat tree without oversubscription for this number of devices:
// the hardware that an ideal switch stands for.
Bill full_bisection_components(int devices, Bandwidth bandwidth);

}  // namespace loom::fabric
