// Which devices of a workload a network has to join: those that only compute need no place in it.
#pragma once

#include "loom/workload/workload.h"

namespace loom {

// One more than the last device that sends or receives; 0 where none does.
int endpoints(const Workload& workload);

}  // namespace loom
