// Slices of a TPU v4 pod: cubes of 4x4x4 devices whose faces are connected by optical circuit
// switches into a torus, which may be twisted (Jouppi et al., ISCA 2023).
//
// A device has six links. Links inside a cube are electrical; those at its faces lead to the
// switches, which connect complete faces of cubes and are set once per slice. So a slice larger
// than one cube consists of complete cubes and wraps around; a smaller one is a mesh inside a cube.
//
// In a twisted torus, wrapping around a short side shifts halfway along the long ones: kxkx2k is
// then the face-centered and kx2kx2k the body-centered cubic lattice, in which all links are
// equivalent (Camarero, Martinez, Beivide, "Lattice graphs for high-scale interconnection
// topologies", 2014).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kTpuTorusKind;

}  // namespace loom::fabric
