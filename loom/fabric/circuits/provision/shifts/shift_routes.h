// Routes over circuits that lie at the same shifts from every device, such that each kind of
// communication by itself keeps the circuits evenly busy.
//
// Kinds of communication take turns on circuits that are set once. A kind that only uses circuits
// of its own leaves the others idle; so the bytes of a shift are divided among up to 12 paths of up
// to three circuits, in units that go where they add least to the sum over circuits of
// (load / bandwidth)^8 of their kinds. Every unit is then placed again, twice. On a grid all
// devices have the same loads, so a route takes microseconds for any number of devices.
#pragma once

#include <vector>

#include "loom/fabric/circuits/provision/shifts/shift_traffic.h"

namespace loom::fabric {

// Circuits from every device to the device at each shift.
struct ShiftCircuits {
  int shift = 0;
  int count = 0;
};

struct ShiftPath {
  std::vector<int> over;  // shifts of its circuits, in order
  int units = 0;          // of the route's units that take this path
};

// The route of all messages between devices that lie at one shift.
struct ShiftRoute {
  int shift = 0;
  std::vector<ShiftPath> paths;
  int units = 0;
};

struct ShiftRouting {
  std::vector<ShiftRoute> routes;       // sorted by shift
  std::vector<std::vector<int>> steps;  // ring steps per kind; empty for fixed traffic
  // Weighted sum over the kinds of the bytes on their busiest circuits: the time if all take turns.
  // Bytes without a path count as if they crossed very many circuits.
  double turns = 0;
  bool reaches_all = true;  // whether every shift has a route
};

ShiftRouting route_shifts(const ShiftTraffic& traffic, const std::vector<ShiftCircuits>& circuits);

}  // namespace loom::fabric
