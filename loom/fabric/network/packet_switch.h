// An electrical packet switch beside circuits: its links, and the ways over it.
#pragma once

#include "loom/fabric/circuits/circuit_fabric.h"

namespace loom {

// The network of circuits with the switch and its links added; all stand by (from, to). A pair's
// own circuits carry its messages while they are lit, packets do else. Where pairs have `turns`,
// one that is dark now waits for its next, and only those that never have one send packets: a
// message under way as packets would not move to a circuit that is lit later.
Network with_packets(Network circuits, const PacketSwitch& packets, bool turns);

}  // namespace loom
