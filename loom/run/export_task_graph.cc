#include "loom/run/export_task_graph.h"

namespace loom::run {
namespace {

// The operations of one iteration. For a training job this is the first one, the only one that
// depends on no other.
workload::Workload one_iteration(const Plan& plan) {
  workload::Workload workload = plan.workload;
  std::size_t count = 0;
  while (count < workload.operations.size() && plan.iteration_of(count) == 0) ++count;
  if (count == workload.operations.size()) return workload;
  workload.after.resize(workload.operations[count].first_after);
  workload.operations.resize(count);
  return workload;
}

}  // namespace

ExportedGraph export_task_graph(const scenario::Scenario& scenario, const RunOptions& options) {
  const Plan plan =
      plan_or_refuse(scenario, options.replacements, {options.threads, options.progress});
  const foreign::TaskGraph graph = foreign::to_task_graph(one_iteration(plan), plan.network.devices,
                                                          scenario.workload().location());
  ExportedGraph exported{to_flexflow(graph), graph.nodes, graph.tasks.size()};
  foreign::parse_flexflow(exported.content, "exported task graph");  // refuses cyclic dependencies
  return exported;
}

}  // namespace loom::run
