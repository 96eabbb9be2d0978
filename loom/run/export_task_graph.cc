#include "loom/run/export_task_graph.h"

#include <algorithm>

namespace loom {
namespace {

// A task graph is one iteration: of a job the first, since what comes later waits for it.
Workload one_iteration(const Prepared& prepared) {
  Workload workload = prepared.workload;
  if (!prepared.job) return workload;
  const std::vector<OperationTag>& tags = prepared.job->lowered.tags;
  const auto later = std::find_if(tags.begin(), tags.end(),
                                  [](const OperationTag& it) { return it.iteration > 0; });
  if (later == tags.end()) return workload;
  const auto count = static_cast<std::size_t>(later - tags.begin());
  workload.after.resize(workload.operations[count].first_after);
  workload.operations.resize(count);
  return workload;
}

}  // namespace

ExportedGraph export_task_graph(const Scenario& scenario, const RunOptions& options) {
  const Prepared prepared =
      prepare(scenario, options.replacements, {options.threads, options.progress});
  if (!prepared.infeasible.empty()) {
    throw InputError(scenario.workload.location(), prepared.infeasible);
  }
  const TaskGraph graph = to_task_graph(one_iteration(prepared), prepared.network.devices,
                                        scenario.workload.location());
  ExportedGraph exported{to_flexflow(graph), graph.nodes, graph.tasks.size()};
  parse_flexflow(exported.content, "exported task graph");  // refuses what waits in a circle
  return exported;
}

}  // namespace loom
