// The three-tier fat tree of k-port switches (Al-Fares et al., SIGCOMM 2008).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kFatTreeKind;

// Of the smallest fat-tree for so many devices without oversubscription: what an ideal switch is,
// once it is bought.
Bill full_bisection_components(int devices, Bandwidth bandwidth);

}  // namespace loom
