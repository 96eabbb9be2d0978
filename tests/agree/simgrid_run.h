// Simulates flows with SimGrid (Casanova et al., Journal of Parallel and Distributed Computing
// 2014), using its fluid model CM02 without the TCP correction factors.
#pragma once

#include <vector>

#include "tests/agree/random_flows.h"

namespace loom {

// End times in seconds, per case and flow. All cases run in one simulation without sharing
// anything. SimGrid allows one engine per process, so it runs in a child.
std::vector<std::vector<double>> simgrid_ends(const std::vector<FlowCase>& cases);

}  // namespace loom
