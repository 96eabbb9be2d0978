// A grid of devices with wraparound links, in one to four dimensions.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kTorusKind;

}  // namespace loom::fabric
