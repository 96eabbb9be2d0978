// Devices that take part in the same operations in the same way do the same things at the same
// times wherever an engine treats all groups of an operation alike. One of them stands for all.
#pragma once

#include <optional>
#include <vector>

#include "loom/workload/workload.h"

namespace loom {

struct Folded {
  Workload workload;                 // the same operations; a device of it is a class of devices
  std::vector<int> representatives;  // a device of each class
};

// Nothing where there is no gain, or where groups of one operation are not alike: then each device
// has to be followed.
std::optional<Folded> fold(const Workload& workload);

}  // namespace loom
