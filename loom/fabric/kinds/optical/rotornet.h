// RotorNet: rotor switches that each go round a few matchings, together all of them (Mellette et
// al., SIGCOMM 2017).
//
// RotorLB sends directly what it can and gives what room is left to others' traffic, slot by slot,
// by what waits. Ways here do not depend on what waits: `direct` is what RotorLB comes to where all
// pairs send alike, `valiant` where each device sends to one.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

extern const FabricKind kRotornetKind;

}  // namespace loom
