// Symmetry reduction for the coarse engine. If an engine treats all groups of an operation
// equally, devices with the same role in the same operations do the same things at the same times.
// One device then represents its class.
#pragma once

#include <optional>
#include <vector>

#include "loom/workload/workload.h"

namespace loom::simulate {

struct Folded {
  workload::Workload workload;  // the same operations; each of its devices is a class of devices
  std::vector<DeviceId> representatives;  // one device per class
};

// Folds a workload. Returns nothing if there is no gain, if the workload has messages or receives,
// or if the groups of one operation are not equivalent: then every device has to be simulated.
std::optional<Folded> fold(const workload::Workload& workload);

}  // namespace loom::simulate
