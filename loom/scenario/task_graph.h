// FlexFlow task graphs as the workload of a scenario.
#pragma once

#include "loom/foreign/flexflow.h"
#include "loom/scenario/scenario.h"

namespace loom {

// Of a scenario that replays one.
TaskGraph read_task_graph(const Scenario& scenario);

// How many servers its network joins: `gpus`, or as many as the graph has.
int server_count(const Scenario& scenario, const TaskGraph& graph);

// A task graph's latency is that of each hop. Kinds of fabric that give it from device to device,
// by a switch between them, have it twice.
FabricSpec fabric_by_hops(const Scenario& scenario);

}  // namespace loom
