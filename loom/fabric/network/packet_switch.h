// Hybrid networks: adds an electrical packet switch, with its links and routes, to circuits.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom::fabric {

// Adds the switch and its links to a circuit network, and sorts the links by (from, to). The
// messages of a pair use the pair's own circuit while it is up, and the packet switch otherwise. If
// pairs take turns in using circuits (`turns`), a pair whose circuit is down waits for its next
// turn, and only pairs that never get a circuit use the packet switch: a message that has started
// on the packet switch would not move to a circuit that comes up later.
Network with_packets(Network circuits, const PacketSwitch& packets, bool turns);

}  // namespace loom::fabric
