// Two tiers: devices on leaf switches, every leaf linked to every spine.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kLeafSpineKind;

}  // namespace loom::fabric
