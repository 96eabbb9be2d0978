// Lower bounds on the time of a workload that follow from its computations and dependencies.
#pragma once

#include "loom/plan/bounds/capacity.h"
#include "loom/workload/workload.h"

namespace loom::plan {

// Computation of the busiest device.
Duration busiest_device(const workload::Workload& workload);

// Length of the longest chain of computations and communications that wait for each other. Devices
// run any number of tasks at once and each message has the full bandwidth of its ends. A collective
// ends when the data of the rank that joined last have left it, which no algorithm avoids.
//
// Visits each operation once and keeps one end time per device only where devices differ, so jobs
// whose devices do the same cost O(operations).
Duration longest_chain(const workload::Workload& workload, const Capacity& capacity);

}  // namespace loom::plan
