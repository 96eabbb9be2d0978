// A random regular graph of switches or devices (Jellyfish, Singla et al., NSDI 2012).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kRandomRegularKind;

}  // namespace loom::fabric
