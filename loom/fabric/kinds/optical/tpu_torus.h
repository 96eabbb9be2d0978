// Slices of a TPU v4 pod: cubes of 4x4x4 devices whose faces are connected by optical circuit
// switches into a torus, which may be twisted (Jouppi et al., ISCA 2023).
//
// Links inside a cube are electrical; links at its faces lead to the switches, which connect
// complete faces and are set once per slice. So a slice larger than one cube consists of complete
// cubes and wraps around; a smaller slice is a mesh inside a cube. In a twisted torus, wrapping
// around a short side shifts halfway along the long sides, which makes all links of kxkx2k and
// kx2kx2k equivalent (Camarero, Martinez, Beivide, "Lattice graphs for high-scale interconnection
// topologies", 2014).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kTpuTorusKind;

}  // namespace loom::fabric
