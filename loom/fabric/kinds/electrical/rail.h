// Rail-optimized: the i-th device of every server is attached to rail switch i.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kRailKind;

}  // namespace loom::fabric
