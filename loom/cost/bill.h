// Computes the bill of materials of any fabric.
//
// From links: at each rate, a node has as many ports as outgoing or incoming links, whichever are
// more. A device port is a NIC, any other a switch port; each has a transceiver, and two ports
// share a fiber cable. From circuits: each device's transmitters, the ports where its fibers end,
// and the fibers. A kind whose hardware differs from its model gives its own bill
// (FabricKind::components).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

Bill components_of(const Network& network);
Bill components_of(const CircuitFabric& fabric);

// Throws InputError if the fabric cannot be built.
Bill bill_of(const FabricSpec& spec, const FabricContext& context);

}  // namespace loom
