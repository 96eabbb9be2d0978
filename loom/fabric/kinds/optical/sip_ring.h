// SiP-Ring: devices on fibre rings, micro-ring resonators picking wavelengths for each pair, which
// are used again on arcs that share no segment (SiP-ML, SIGCOMM 2021, section 3).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kSipRingKind;

}  // namespace loom
