#include "loom/scenario/task_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "loom/base/files.h"
#include "loom/fabric/parameters.h"
#include "loom/scenario/paths.h"

namespace loom::scenario {

foreign::TaskGraph read_task_graph(const Scenario& scenario) {
  const std::string path = path_of(scenario.workload(), "flexflow");
  return foreign::parse_flexflow(read_file(path, scenario.workload().location("flexflow")), path);
}

int server_count(const Scenario& scenario, const foreign::TaskGraph& graph) {
  if (!scenario.settings.given("gpus")) return graph.nodes;
  const auto gpus = static_cast<int>(scenario.settings.integer("gpus"));
  if (gpus < graph.nodes) {
    scenario.settings.refuse(
        "gpus",
        fmt::format("at least {} are needed, one per server of the task graph", graph.nodes));
  }
  return gpus;
}

fabric::FabricSpec fabric_by_hops(const Scenario& scenario) {
  const std::span<const Parameter> known = scenario.fabric.kind->parameters;
  const bool from_device_to_device = std::any_of(known.begin(), known.end(), [](const auto& it) {
    return it.name == fabric::kDeviceLatency.name && it.summary == fabric::kDeviceLatency.summary;
  });
  Tree fabric = *scenario.tree.find("fabric");
  Tree* latency = fabric.find("latency");
  if (!from_device_to_device || latency == nullptr) return scenario.fabric;
  latency->text = exact(times(2, scenario.fabric.settings.duration("latency")));
  return fabric::read_fabric(fabric);
}

}  // namespace loom::scenario
