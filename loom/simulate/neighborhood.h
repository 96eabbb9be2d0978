// Neighborhoods: a network that looks the same when it is shifted by so many devices. Groups that
// differ only by such a shift need to be examined once.
#pragma once

#include <vector>

#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom::simulate {

// Period of the network in devices: shifted by so many devices, it looks the same.
int neighborhood(const fabric::Network& network);

// The groups, shifted toward device 0 by an integer number of neighborhoods.
workload::Groups moved_to_front(workload::Groups groups, int neighborhood);

// Groups that are equal but for a shift by an integer number of neighborhoods.
struct EquivalentGroups {
  GroupId first;
  int count = 0;
};

std::vector<EquivalentGroups> equivalent_groups(const workload::Groups& groups,
                                                const fabric::Network& network);

}  // namespace loom::simulate
