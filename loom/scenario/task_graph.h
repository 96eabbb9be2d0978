// FlexFlow task graphs as the workload of a scenario.
#pragma once

#include "loom/foreign/flexflow.h"
#include "loom/scenario/scenario.h"

namespace loom::scenario {

// The task graph of a scenario that replays one.
foreign::TaskGraph read_task_graph(const Scenario& scenario);

// The number of servers in the network: `gpus`, or as many as the graph has.
int server_count(const Scenario& scenario, const foreign::TaskGraph& graph);

// The scenario's fabric with its latency per hop, as task graphs define it. Fabrics whose latency
// is from device to device through a switch count it twice, once for each of the two hops.
fabric::FabricSpec fabric_by_hops(const Scenario& scenario);

}  // namespace loom::scenario
