// Mordia: a fiber ring on which each wavelength carries one circuit and is occupied on the entire
// ring (Porter et al., SIGCOMM 2013).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kMordiaKind;

}  // namespace loom::fabric
