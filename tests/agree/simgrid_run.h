// Flows as SimGrid sees them (Casanova et al., Journal of Parallel and Distributed Computing 2014):
// its oldest fluid model, CM02, without any of the factors that make it resemble TCP.
#pragma once

#include <vector>

#include "tests/agree/random_flows.h"

namespace loom {

// When each flow of each case ends, in seconds. The cases run side by side in one simulation, and
// share nothing. SimGrid's engine lives once a process, so it runs in a child.
std::vector<std::vector<double>> simgrid_ends(const std::vector<FlowCase>& cases);

}  // namespace loom
