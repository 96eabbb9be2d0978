#include "loom/run/export_task_graph.h"

#include <algorithm>

namespace loom::run {
namespace {

// The operations of one iteration. Of a training job, the first, because later iterations depend on
// it.
workload::Workload one_iteration(const Plan& plan) {
  workload::Workload workload = plan.workload;
  const auto* training = plan.as<TrainingPlan>();
  if (training == nullptr) return workload;
  const std::vector<place::OperationTag>& tags = training->lowered.tags;
  const auto later = std::find_if(tags.begin(), tags.end(),
                                  [](const place::OperationTag& it) { return it.iteration > 0; });
  if (later == tags.end()) return workload;
  const auto count = static_cast<std::size_t>(later - tags.begin());
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
