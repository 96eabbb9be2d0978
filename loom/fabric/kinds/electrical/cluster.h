// Servers with a fast internal switch, connected by an ideal network. Only the links of a device,
// to its server and to the network, can be bottlenecks.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kClusterKind;

}  // namespace loom::fabric
