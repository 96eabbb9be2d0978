// FlexFlow task graphs as the workload of a scenario.
#pragma once

#include "loom/foreign/flexflow.h"
#include "loom/scenario/scenario.h"

namespace loom::scenario {

// Reads the task graph that the scenario replays.
foreign::TaskGraph read_task_graph(const Scenario& scenario);

// The number of servers in the network: `gpus`, or that of the graph if `gpus` is not given.
int server_count(const Scenario& scenario, const foreign::TaskGraph& graph);

// The scenario's fabric with its latency interpreted per hop, as in TopoOpt's simulator. If a
// fabric defines latency from device to device through a switch, it is doubled: there are two hops.
fabric::FabricSpec fabric_by_hops(const Scenario& scenario);

}  // namespace loom::scenario
