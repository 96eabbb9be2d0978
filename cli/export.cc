// export: the work of a scenario in the form of another program.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/study/task_graph.h"

namespace loom::cli {
namespace {

struct ExportFlags {
  std::string scenario;
  std::string flexflow;
  bool json = false;
  RunFlags run;
};

int export_scenario(const ExportFlags& flags) {
  const Scenario scenario = one_point(
      read_scenarios(read_scenario_tree(flags.scenario), flags.run.overrides), flags.run.point);
  const ExportedGraph graph = export_task_graph(scenario, run_options(flags.run));
  write_file(flags.flexflow, graph.content);
  if (flags.json) {
    const nlohmann::ordered_json json = {
        {"file", flags.flexflow}, {"servers", graph.servers}, {"tasks", graph.tasks}};
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}: {} tasks on {} servers\n", flags.flexflow, graph.tasks, graph.servers);
  }
  return kOk;
}

}  // namespace

void add_export(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("export", "the work of a scenario as a file for another program");
  auto flags = std::make_shared<ExportFlags>();
  command.add_option("SCENARIO", flags->scenario, "YAML file; - for standard input")->required();
  command
      .add_option("--flexflow", flags->flexflow,
                  "write a task graph of FlexFlow, for the simulator of TopoOpt")
      ->type_name("FILE")
      ->required();
  command.add_flag("--json", flags->json, "as JSON");
  add_run_flags(command, flags->run);
  add_point_flag(command, flags->run);
  command.callback([flags, &code] { code = export_scenario(*flags); });
}

}  // namespace loom::cli
