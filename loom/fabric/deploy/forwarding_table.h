// Forwarding tables: for each device and destination, the next links and the share that each takes.
//
// Routes are chosen per pair, but hosts forward per destination. For each destination, the flows of
// all pairs are added up and their cycles removed; each device then splits its traffic in
// proportion to the flow on its outgoing links. So no link carries more than under the routes, and
// no packet loops. Devices that carry no demand for the destination use a shortest path.
#pragma once

#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/demand.h"

namespace loom::fabric {

struct NextLink {
  LinkId link;
  double share = 1;  // fraction of the device's traffic for the destination
};

// Next links by device, for one destination; empty at the destination and at devices that cannot
// reach it.
using NextLinks = std::vector<std::vector<NextLink>>;

NextLinks forwarding_to(const Network& network, DeviceId destination,
                        const workload::Demand& demand);

}  // namespace loom::fabric
