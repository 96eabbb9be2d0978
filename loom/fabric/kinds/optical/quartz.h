// Quartz: a full mesh of fixed channels over fibre rings (Liu et al., SIGCOMM 2014).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kQuartzKind;

// Wavelengths that a mesh of so many devices needs on one ring, each pair by its shorter arc both
// ways: no fewer can do, as the segments together carry the lengths of all arcs.
int quartz_wavelengths(int devices);

}  // namespace loom
