// A table of flows as a workload: messages that start at given times and wait for nothing.
#pragma once

#include <string>

#include "loom/workload/workload.h"

namespace loom {

// CSV with the columns start, source, destination, size and perhaps weight; see base/csv.h for
// units. `devices` is how many there are; 0 means as many as the largest number needs.
Workload parse_flows(const std::string& text, const std::string& source, int devices);

}  // namespace loom
