// SiP-Ring: devices on fiber rings select a wavelength for each pair with micro-ring resonators,
// and pairs whose arcs share no segment reuse wavelengths (SiP-ML, SIGCOMM 2021, section 3).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kSipRingKind;

}  // namespace loom::fabric
