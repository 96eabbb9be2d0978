// A training job whose operators are searched one by one together with the topology (TopoOpt): from
// its spec to a workload on a network.
#pragma once

#include "loom/run/plan.h"

namespace loom {

// Needs the job's spec; fills the rest of it, the workload and, of circuits, the network.
void prepare_co_optimized(const Scenario& scenario, Prepared& prepared,
                          const SearchOptions& given_options);

}  // namespace loom
