// Writes the traffic of a workload as shifts on a grid of its devices.
//
// The grid follows from the groups of the workload: those of a uniform strategy are runs of devices
// at regular distances, and the distances of all groups cut the device numbers into dimensions. The
// bytes of a shift are those of the device that sends the most.
#pragma once

#include <optional>
#include <vector>

#include "loom/fabric/circuits/provision/shifts/shift_traffic.h"
#include "loom/plan/circuits/provision_workload.h"

namespace loom::plan {

struct GridTraffic {
  fabric::ShiftTraffic shifts;
  MutableTraffic rings;  // the same traffic, group by group
  // Kind of each group of `rings`; -1 if its members do not follow each other at one shift.
  std::vector<int> kind_of_group;
};

// No value if the groups do not form a grid of all devices, or if nothing is sent.
std::optional<GridTraffic> traffic_on_grid(const workload::Workload& workload, int devices);

}  // namespace loom::plan
