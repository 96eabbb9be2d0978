// Opera: rotor switches that change one after another, so that the others make an expander at any
// time (Mellette et al., NSDI 2020).
//
// Bulk traffic waits for its direct circuit. What cannot wait goes at once over several circuits of
// the moment, which takes the room of as many. A scenario says which of the two its messages are,
// by `routing`: the paper divides flows at 15 MB. An expander of one slice stands for all; it holds
// for messages shorter than a slice; longer ones would find the load evened out by the next slices.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "loom/fabric/circuits/rotation.h"
#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kOperaKind;

// The circuits lit in a slice, from and to: of all planes but the one that changes, which are
// planes 0, 1, … in turn.
std::vector<std::pair<int, int>> opera_slice(const Rotation& rotation, int slice);

// A slice whose circuits do not join all devices; "" if there is none.
std::string opera_gap(const Rotation& rotation);

}  // namespace loom
