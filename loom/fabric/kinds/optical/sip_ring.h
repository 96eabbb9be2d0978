// SiP-Ring: devices on fiber rings select wavelengths per pair with micro-ring resonators and reuse
// them on arcs that share no segment (SiP-ML, SIGCOMM 2021, section 3).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kSipRingKind;

}  // namespace loom::fabric
