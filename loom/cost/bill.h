// Computes the bill of materials of any fabric.
//
// From links: at each rate, a node has as many ports as outgoing or incoming links, whichever are
// more. A device port is a NIC, any other a switch port; each has a transceiver, and two ports
// share a fiber cable. From circuits: each device's transmitters, the ports where its fibers end,
// and the fibers. A kind whose hardware differs from its model gives its own bill
// (FabricKind::components).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::cost {

fabric::Bill components_of(const fabric::Network& network);
fabric::Bill components_of(const fabric::CircuitFabric& fabric);

// Throws InputError if the fabric cannot be built.
fabric::Bill bill_of(const fabric::FabricSpec& spec, const fabric::FabricContext& context);

}  // namespace loom::cost
