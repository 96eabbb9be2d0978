// Export of a scenario's workload as a FlexFlow task graph.
#pragma once

#include <string>

#include "loom/foreign/flexflow.h"
#include "loom/run/run.h"

namespace loom::run {

// The FlexFlow file of a scenario's workload.
struct ExportedGraph {
  std::string content;
  int servers = 0;
  std::size_t tasks = 0;
};

// Throws InputError if the workload cannot be written as a task graph.
ExportedGraph export_task_graph(const scenario::Scenario& scenario, const RunOptions& options);

}  // namespace loom::run
