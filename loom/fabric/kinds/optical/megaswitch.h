// MegaSwitch: every device sends on its own fiber, which passes all other devices; a device
// receives each wavelength from one sender at a time (Chen et al., NSDI 2017).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kMegaswitchKind;

}  // namespace loom::fabric
