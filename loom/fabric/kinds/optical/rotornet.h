// RotorNet: rotor switches that each cycle through a few matchings and together cover all of them
// (Mellette et al., SIGCOMM 2017).
//
// RotorLB decides slot by slot from the queues: it sends directly what it can and relays other
// traffic with the remaining capacity. Routes here do not depend on queues: `direct` is what
// RotorLB converges to under uniform demand, `valiant` if each device sends to only one other.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kRotornetKind;

}  // namespace loom::fabric
