// Task graphs in scenarios, and scenarios as task graphs.
#pragma once

#include <string>

#include "loom/foreign/flexflow.h"
#include "loom/study/run.h"

namespace loom {

// Of a scenario that replays one.
TaskGraph read_task_graph(const Scenario& scenario);

// How many servers its network joins: `gpus`, or as many as the graph has.
int server_count(const Scenario& scenario, const TaskGraph& graph);

// A task graph's latency is that of each hop. Kinds of fabric that give it from device to device,
// by a switch between them, have it twice.
FabricSpec fabric_by_hops(const Scenario& scenario);

// The file of the task graph that a scenario's workload is; InputError where it is none.
struct ExportedGraph {
  std::string content;
  int servers = 0;
  std::size_t tasks = 0;
};

ExportedGraph export_task_graph(const Scenario& scenario, const RunOptions& options);

}  // namespace loom
