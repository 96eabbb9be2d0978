// RotorNet: each rotor switch cycles through a few matchings, and all switches together connect
// every pair (Mellette et al., SIGCOMM 2017).
//
// RotorLB, the load balancer of the paper, decides in every slot from the queues: it sends what it
// can over the direct circuit and relays other traffic with the remaining capacity. Routes here do
// not depend on queues: RotorLB converges to `direct` under uniform demand, and to `valiant` if
// each device sends to only one other device.
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::fabric {

extern const FabricKind kRotornetKind;

}  // namespace loom::fabric
