// Computes the bill of materials of any fabric.
//
// Network of links: at each rate, a node has as many ports as outgoing or incoming links, whichever
// are more. A port of a device is a NIC, a port of a switch a switch port; a cable connects two
// ports: copper within a rack, or a fiber with a transceiver at each port (floor.h). Circuit
// fabric: the interfaces of the devices, the switch ports at which their fibers end, and the
// fibers. A kind whose hardware differs from its model gives its own bill (FabricKind::components).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom::cost {

fabric::Bill components_of(const fabric::Network& network, const fabric::Floor& floor);
fabric::Bill components_of(const fabric::CircuitFabric& fabric);

// Throws InputError if the fabric cannot be built.
fabric::Bill bill_of(const fabric::FabricSpec& spec, const fabric::FabricContext& context);

}  // namespace loom::cost
