// The devices of a workload that a network must connect; devices that only compute need no port.
#pragma once

#include "loom/workload/workload.h"

namespace loom::workload {

// One more than the highest device number that sends or receives; 0 if no device does.
int endpoints(const Workload& workload);

}  // namespace loom::workload
