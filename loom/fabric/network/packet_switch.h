// Hybrid networks: an electrical packet switch beside circuits, its links, and the routes over it.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom::fabric {

// Adds the switch and its links to a circuit network; links are sorted by (from, to). A pair's
// messages use its own circuit while it is up, and the packet switch otherwise. If pairs share
// circuits over time (`turns`), a pair whose circuit is down waits for its next slot, and only
// pairs that never get a circuit use the packet switch: a message that has started there would not
// move to a circuit that comes up later.
Network with_packets(Network circuits, const PacketSwitch& packets, bool turns);

}  // namespace loom::fabric
