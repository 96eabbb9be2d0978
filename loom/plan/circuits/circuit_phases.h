// Plans circuit changes within a training iteration, whose communication is known in advance.
//
// Every kind of communication (tensor forward, gradients, …) may have its own set of circuits, or
// share one with others. All partitions are tried if there are few kinds, otherwise sets are merged
// greedily. The fluid engine estimates each, including the switching time between phases, so
// circuits change only where the gain exceeds the switching time.
#pragma once

#include <string>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/place/lower.h"

namespace loom::plan {

struct CircuitPhases {
  std::vector<fabric::Circuits> sets;
  std::vector<int> set_of;              // set per operation
  std::vector<std::string> names = {};  // kinds of communication per set
};

struct PhasedPlan {
  CircuitPhases phases;
  fabric::Network network;  // a link per pair of any set, with the circuits of the first set
  fabric::Provisioned provisioned;  // first set
  Duration iteration{0};            // simulated iteration time
  Duration one_set{0};              // iteration time with a single set
  std::size_t tried = 0;
};

// Needs a job that static circuits can carry.
PhasedPlan plan_phases(const fabric::CircuitFabric& fabric, const place::LoweredJob& job,
                       bool folding = true);

}  // namespace loom::plan
