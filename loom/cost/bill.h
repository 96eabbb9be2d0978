// The bill of materials of any fabric.
//
// From links: every node has as many ports of a rate as it has links of it, there or back,
// whichever are more. A device's port is a NIC, any other a switch's; each has a transceiver, and
// two share a fibre. From circuits: what each device sends on, where its fibres end, and the
// fibres. A kind for which that is not what must be bought says so itself (FabricKind::parts).
#pragma once

#include "loom/fabric/fabric.h"

namespace loom {

Bill components_of(const Network& network);
Bill components_of(const CircuitFabric& fabric);

// InputError where the fabric cannot be built.
Bill bill_of(const FabricSpec& spec, const FabricContext& context);

}  // namespace loom
