// SiP-OCS: every device has a port on each of K optical circuit switches (SiP-ML, SIGCOMM 2021,
// section 3).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kSipOcsKind;

}  // namespace loom::fabric
