// Helios and c-Through: an electrical packet switch for all traffic, and slow optical circuits for
// pairs with large demands (Farrington et al., Wang et al., both SIGCOMM 2010).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kHeliosKind;

}  // namespace loom::fabric
