// The time of all communication of a workload on a network if its kinds take turns: the sum over
// the kinds of the time of their busiest link.
//
// No bound: kinds may overlap, and a kind may wait for itself. It ranks circuits for one workload
// in a small part of the time of a coarse simulation.
#pragma once

#include "loom/fabric/network/network.h"
#include "loom/workload/workload.h"

namespace loom::plan {

Duration time_in_turns(const workload::Workload& workload, const fabric::Network& network);

}  // namespace loom::plan
