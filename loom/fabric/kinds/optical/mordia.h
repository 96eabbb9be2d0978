// Mordia: a ring of fibres in which a wavelength leads from one device to one other, all round
// (Porter et al., SIGCOMM 2013).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kMordiaKind;

}  // namespace loom
