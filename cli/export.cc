// export: the workload of a scenario in the format of another simulator.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/run/export_task_graph.h"

namespace loom::cli {
namespace {

struct ExportOptions {
  std::string scenario;
  std::string flexflow;
  bool json = false;
  RunCommandOptions run;
};

int export_scenario(const ExportOptions& args) {
  const scenario::Scenario scenario = one_point(
      scenario::read_scenarios(scenario::read_scenario_tree(args.scenario), args.run.overrides),
      args.run.point);
  const run::ExportedGraph graph = export_task_graph(scenario, run_options(args.run));
  write_file(args.flexflow, graph.content);
  if (args.json) {
    const nlohmann::ordered_json json = {
        {"file", args.flexflow}, {"servers", graph.servers}, {"tasks", graph.tasks}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: {} tasks on {} servers\n", args.flexflow, graph.tasks, graph.servers);
  }
  return kOk;
}

}  // namespace

void add_export(Command app, int& code) {
  Command command =
      app.add_subcommand("export", "the workload of a scenario as a file for another simulator");
  command.group(kReferenceGroup);
  auto args = std::make_shared<ExportOptions>();
  command.add_option("SCENARIO", args->scenario, "scenario file (YAML); - for standard input")
      .required();
  command
      .add_option("--flexflow", args->flexflow,
                  "FlexFlow task graph to write, for TopoOpt's simulator")
      .type_name("FILE")
      .required();
  command.add_flag("--json", args->json, "JSON output");
  add_run_options(command, args->run);
  add_point_option(command, args->run);
  command.callback([args, &code] { code = export_scenario(*args); });
}

}  // namespace loom::cli
