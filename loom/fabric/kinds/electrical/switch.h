// One ideal switch: only the devices' own links limit bandwidth.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kSwitchKind;

Network ideal_switch(int devices, Bandwidth bandwidth, Duration latency);

}  // namespace loom::fabric
