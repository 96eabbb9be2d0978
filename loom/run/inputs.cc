#include "loom/run/inputs.h"

#include <fmt/format.h>

#include "loom/base/files.h"
#include "loom/scenario/paths.h"
#include "loom/scenario/task_graph.h"
#include "loom/workload/flows.h"

namespace loom::run {
namespace {

std::optional<workload::Workload> workload_from(const scenario::FlowsWork& work,
                                                const scenario::Scenario& scenario) {
  const std::string path = scenario::path_of(work.settings, "flows");
  const int devices =
      scenario.settings.given("gpus") ? static_cast<int>(scenario.settings.integer("gpus")) : 0;
  return workload::parse_flows(read_file(path, work.settings.location("flows")), path, devices);
}

std::optional<workload::Workload> workload_from(const scenario::WorkloadWork& work,
                                                const scenario::Scenario&) {
  const std::string path = scenario::path_of(work.settings, "file");
  return workload::parse_workload(read_file(path, work.settings.location("file")), path);
}

// For all other kinds of work, planning makes the workload.
template <typename Kind>
std::optional<workload::Workload> workload_from(const Kind&, const scenario::Scenario&) {
  return std::nullopt;
}

workload::Workload replaced_workload(const std::string& path) {
  return workload::parse_workload(read_file(path, location_of("--from workload=" + path)), path);
}

int device_count(const scenario::Scenario& scenario,
                 const std::optional<workload::Workload>& workload) {
  if (!scenario.settings.given("gpus")) {
    if (workload && workload->devices > 0) return workload->devices;
    if (workload) {
      scenario.workload().refuse(
          "flows", "the file lists no flows; a flow, or the number of gpus, is needed");
    }
    throw InputError(scenario.settings.location(),
                     "scenario lacks 'gpus' (devices in the cluster)");
  }
  const auto gpus = static_cast<int>(scenario.settings.integer("gpus"));
  if (workload && workload->devices > gpus) {
    scenario.settings.refuse("gpus",
                             fmt::format("the workload needs at least {}", workload->devices));
  }
  return gpus;
}

// A task graph gives the number of servers; planning converts it to a workload, or reads the file
// that replaces the workload.
Inputs inputs_of(const scenario::ReplayWork&, const scenario::Scenario& scenario,
                 const Replacements&) {
  foreign::TaskGraph graph = read_task_graph(scenario);
  const int servers = server_count(scenario, graph);
  return {servers, std::nullopt, std::move(graph)};
}

template <typename Kind>
Inputs inputs_of(const Kind& work, const scenario::Scenario& scenario,
                 const Replacements& replacements) {
  std::optional<workload::Workload> workload = replacements.workload
                                                   ? replaced_workload(*replacements.workload)
                                                   : workload_from(work, scenario);
  const int devices = device_count(scenario, workload);
  return {devices, std::move(workload), std::nullopt};
}

}  // namespace

Replacements parse_replacements(std::span<const std::string> assignments) {
  Replacements replacements;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    const std::string stage = assignment.substr(0, equals);
    const std::string file = equals == std::string::npos ? "" : assignment.substr(equals + 1);
    std::optional<std::string>* target = stage == "links"      ? &replacements.links
                                         : stage == "workload" ? &replacements.workload
                                         : stage == "trace"    ? &replacements.trace
                                                               : nullptr;
    if (target == nullptr || file.empty()) {
      throw InputError(location_of("--from " + assignment),
                       "links=FILE, workload=FILE or trace=FILE is needed");
    }
    *target = file;
  }
  return replacements;
}

Inputs read_inputs(const scenario::Scenario& scenario, const Replacements& replacements) {
  return std::visit([&](const auto& work) { return inputs_of(work, scenario, replacements); },
                    scenario.work);
}

}  // namespace loom::run
