#include "loom/study/task_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/files.h"
#include "loom/fabric/parameters.h"
#include "loom/study/paths.h"

namespace loom {

TaskGraph read_task_graph(const Scenario& scenario) {
  const std::string path = path_of(scenario.workload, "flexflow");
  return parse_flexflow(read_file(path, scenario.workload.location("flexflow")), path);
}

int server_count(const Scenario& scenario, const TaskGraph& graph) {
  if (!scenario.settings.given("gpus")) return graph.nodes;
  const auto gpus = static_cast<int>(scenario.settings.integer("gpus"));
  if (gpus < graph.nodes) {
    scenario.settings.refuse(
        "gpus", fmt::format("the task graph has {} servers, each a device here", graph.nodes));
  }
  return gpus;
}

FabricSpec fabric_by_hops(const Scenario& scenario) {
  const std::span<const Parameter> known = scenario.fabric.kind->parameters;
  const bool from_device_to_device = std::any_of(known.begin(), known.end(), [](const auto& it) {
    return it.name == kDeviceLatency.name && it.summary == kDeviceLatency.summary;
  });
  Tree fabric = *scenario.tree.find("fabric");
  Tree* latency = fabric.find("latency");
  if (!from_device_to_device || latency == nullptr) return scenario.fabric;
  latency->text = exact(times(2, scenario.fabric.settings.duration("latency")));
  return read_fabric(fabric);
}

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
