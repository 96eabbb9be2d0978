// Rail-optimized: the i-th device of every server hangs on rail switch i.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kRailKind;

}  // namespace loom
