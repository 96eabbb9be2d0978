// Symmetry reduction for the analytic engine: devices with the same role in the same operations do
// the same things at the same times if an engine treats all groups of an operation equally. One
// device then represents its class.
#pragma once

#include <optional>
#include <vector>

#include "loom/workload/workload.h"

namespace loom::simulate {

struct Folded {
  workload::Workload workload;  // the same operations; each of its devices is a class of devices
  std::vector<int> representatives;  // one device per class
};

// Empty if there is no gain, or if the groups of one operation are not equivalent: then every
// device has to be simulated.
std::optional<Folded> fold(const workload::Workload& workload);

}  // namespace loom::simulate
