// Plans reconfigurations of circuits within a training iteration, whose communication is known in
// advance.
//
// Each kind of communication (tensor forward, gradients, …) has its own set of circuits or shares a
// set with other kinds. With few kinds, all assignments to sets are tried; otherwise sets are
// merged greedily. The fluid engine simulates each assignment, including the switch time between
// phases, so circuits change only where the gain exceeds the switch time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "loom/fabric/circuits/circuit_fabric.h"
#include "loom/plan/mapped_job.h"

namespace loom::plan {

struct CircuitPhases {
  std::vector<fabric::Circuits> sets;
  std::vector<int> set_of;              // index of the set that each operation uses
  std::vector<std::string> names = {};  // kinds of communication of each set
};

struct PhasedPlan {
  CircuitPhases phases;
  fabric::Network network;  // a link per pair of any set, initially with the circuits of set 0
  fabric::Provisioned provisioned;  // circuits of set 0
  Duration iteration{0};            // simulated iteration time; kForever if there are no sets
  Duration one_set{0};              // iteration time with a single set
  std::size_t tried = 0;            // number of assignments simulated
  place::LoweredJob lowered = {};   // the job
};

// Plans the phases of a job that static circuits can carry.
PhasedPlan plan_phases(const fabric::CircuitFabric& fabric, const place::LoweredJob& job,
                       bool folding = true);

// The best phases of the job with any of its algorithms. If circuits that are set once are no
// slower, these are the only set.
PhasedPlan plan_phases(const fabric::CircuitFabric& fabric, const MappedJob& once,
                       std::span<const place::LoweredJob> other_algorithms, bool folding);

}  // namespace loom::plan
