// The three-tier fat tree of k-port switches (Al-Fares et al., SIGCOMM 2008).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kFatTreeKind;

}  // namespace loom::fabric
