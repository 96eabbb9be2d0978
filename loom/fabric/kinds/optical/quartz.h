// Quartz: a full mesh of fixed channels over fiber rings (Liu et al., SIGCOMM 2014).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kQuartzKind;

// Lower bound on the number of wavelengths for a full mesh on one ring, in which each pair uses its
// shorter arc in both directions: the total length of all arcs divided by the number of segments,
// rounded up.
int quartz_wavelengths(int devices);

}  // namespace loom::fabric
