// Slices of a TPU v4 pod: cubes of 4x4x4 devices whose faces are joined by optical circuit switches
// into a torus, which may be twisted (Jouppi et al., ISCA 2023).
//
// A device has six links. Inside a cube they are electrical; those of its faces lead to the
// switches, which join whole faces of cubes and are set once for a slice. So a slice of more than
// one cube is made of whole cubes, and closes on itself; a smaller one lies inside a cube and is a
// mesh.
//
// Twisted, a way round a short side comes back half way along the long ones: kxkx2k is then the
// face-centred and kx2kx2k the body-centred cubic lattice, in which all links are alike (Camarero,
// Martinez, Beivide, "Lattice graphs for high-scale interconnection topologies", 2014).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kTpuTorusKind;

}  // namespace loom
