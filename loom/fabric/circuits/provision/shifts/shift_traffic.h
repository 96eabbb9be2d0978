// Traffic on a grid of devices: every device sends the same bytes to the devices at the same
// shifts.
//
// Each kind of communication is listed by itself, because kinds take turns: while one is active it
// may use all circuits.
#pragma once

#include <vector>

#include "loom/fabric/circuits/provision/shifts/device_grid.h"

namespace loom::fabric {

struct ShiftBytes {
  int shift = 0;
  double bytes = 0;  // that each device sends to the device at the shift
};

struct ShiftKind {
  std::vector<ShiftBytes> fixed;  // between given pairs
  double weight = 1;              // of its time in the sum over all kinds

  // Mutable traffic instead: any rings through the groups carry it. shift_of[s] is the shift of
  // ring step s; empty: the traffic is fixed.
  std::vector<int> shift_of = {};
  double ring_bytes = 0;  // that a member sends over all its rings together
};

struct ShiftTraffic {
  DeviceGrid grid;
  std::vector<ShiftKind> kinds;
};

}  // namespace loom::fabric
