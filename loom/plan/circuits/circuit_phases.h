// When to move circuits in a training iteration, which is known beforehand: every kind of its
// communication (tensor forward, gradients, …) may have circuits of its own, or share them with
// others. All ways to share are tried where they are few, else kinds are joined one by one; the
// fluid engine says what each costs, the dark time between phases included. So circuits move only
// where that gains more than it takes.
#pragma once

#include <string>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/place/lower.h"

namespace loom {

struct CircuitPhases {
  std::vector<Circuits> sets;
  std::vector<int> set_of;              // by operation
  std::vector<std::string> names = {};  // of the sets: what they are for
};

struct PhasedPlan {
  CircuitPhases phases;
  Network network;          // a link for each pair that some set lights; the first set is lit
  Provisioned provisioned;  // that set
  Duration iteration{0};    // as simulated
  Duration one_set{0};      // with circuits that never move
  std::size_t tried = 0;
};

// Needs that the job can be carried by circuits that stay.
PhasedPlan plan_phases(const CircuitFabric& fabric, const LoweredJob& job, bool folding = true);

}  // namespace loom
