// Finds circuits at the same shifts from every device that carry all kinds of traffic soonest.
//
// A set of circuits is a multiset of shifts, one permutation of the devices each: every division of
// the ports among the kinds is such a set, and so are rings and circuits that only relay. Ports go
// one by one to the shift that lowers the sum of the times of all kinds most; then shifts change at
// random, one or two at a time (simulated annealing), until nothing can be better or the trials
// end. A trial routes every kind (shift_routes.h), in tens of microseconds.
#pragma once

#include "loom/fabric/circuits/provision/shifts/shift_routes.h"

namespace loom::fabric {

// The cost is the weighted sum of the times of all kinds, in bytes per circuit.
struct ShiftPlan {
  std::vector<ShiftCircuits> circuits;  // sorted by shift
  ShiftRouting routing;
  int trials = 0;
  double first = 0;  // cost before shifts changed
  double last = 0;
};

// Uses at most `ports` circuits from each device, and about `max_trials` trials.
ShiftPlan find_shifts(const ShiftTraffic& traffic, int ports, int max_trials);

}  // namespace loom::fabric
