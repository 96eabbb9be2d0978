// Reads a flow table as a workload: messages that start at given times and wait for nothing.
#pragma once

#include <string>

#include "loom/workload/workload.h"

namespace loom::workload {

// CSV with the columns start, source, destination, size and optionally weight; see base/csv.h for
// units. `devices` is the number of devices; 0 means one more than the largest device number.
Workload parse_flows(const std::string& text, const std::string& source, int devices);

}  // namespace loom::workload
