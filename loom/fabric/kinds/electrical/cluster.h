// Servers with a fast internal switch, connected by an ideal network. Only the links of a device,
// to its server and to the network, can be bottlenecks.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kClusterKind;
extern const FabricKind kNvl72Kind;  // a cluster whose servers are racks of 72 GPUs

}  // namespace loom::fabric
