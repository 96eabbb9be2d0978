// Where each device sends what is for each other: the next links and how much takes which.
//
// Routes are chosen by pair; hosts forward by destination. For every destination the flows of all
// pairs are added up and freed of circles, and each device divides what it has for it as its links
// carry the sum. So links carry what the routes lay on them, or less, and nothing goes in a circle.
// Devices that no demand leads through take a shortest way.
#pragma once

#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/demand.h"

namespace loom {

struct NextLink {
  int link = 0;
  double share = 1;  // of what the device has for the destination
};

// By device, for one destination; nothing at the destination, and where no way leads there.
using NextLinks = std::vector<std::vector<NextLink>>;

NextLinks forwarding_to(const Network& network, int destination, const Demand& demand);

}  // namespace loom
