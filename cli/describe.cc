// fabrics, dump and schema: print the fabric kinds, a stage of a scenario, and the JSON Schema.
#include "loom/report/describe.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"

namespace loom::cli {
namespace {

struct DumpOptions {
  std::string scenario;
  std::string stage = "scenario";
  fabric::Addressing addressing;
  RunCommandOptions run;
};

int dump(const DumpOptions& args) {
  const scenario::Scenario scenario = one_point(
      scenario::read_scenarios(scenario::read_scenario_tree(args.scenario), args.run.overrides),
      args.run.point);
  const report::Stage stage =
      report::dump_stage(scenario, args.stage, run_options(args.run), args.addressing);
  fmt::print("{}", stage.text);
  return exit_code(stage.deadlock);
}

}  // namespace

void add_fabrics(Command app, int& code) {
  Command command = app.add_subcommand("fabrics", "kinds of fabric and their parameters");
  command.group(kReferenceGroup);
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command.add_option("KIND", *name, "kind to show; all if not given");
  command.add_flag("--json", *json, "JSON output");
  command.callback([name, json, &code] {
    fmt::print("{}",
               *json ? report::fabrics_json(*name).dump(2) + "\n" : report::fabrics_text(*name));
    code = kOk;
  });
}

void add_dump(Command app, int& code) {
  Command command = app.add_subcommand(
      "dump", "any stage of a scenario as text, to read, edit and pass back with --from");
  command.group(kReferenceGroup);
  auto args = std::make_shared<DumpOptions>();
  command.add_option("SCENARIO", args->scenario, "scenario file (YAML); - for standard input")
      .required();
  command
      .add_option("--stage", args->stage,
                  "stage: scenario, links, workload, messages (expanded collectives) or trace; to "
                  "deploy on a cluster: circuits, cross_connects, cross_connects_json, forwarding, "
                  "msccl")
      .one_of(std::vector<std::string>(report::stage_names().begin(), report::stage_names().end()))
      .capture_default_str();
  command
      .add_option("--addresses", args->addressing.pattern,
                  "host addresses in stage forwarding: PLANE is the plane, X and Y are the device "
                  "number in base 254")
      .type_name("PATTERN")
      .capture_default_str();
  command
      .add_option("--interface", args->addressing.interface,
                  "name of a host's interface in stage forwarding: PLANE is the plane")
      .type_name("PATTERN")
      .capture_default_str();
  add_run_options(command, args->run);
  add_point_option(command, args->run);
  command.callback([args, &code] { code = dump(*args); });
}

void add_schema(Command app, int& code) {
  Command command =
      app.add_subcommand("schema", "JSON Schema of scenario files, for completion in editors");
  command.group(kReferenceGroup);
  command.callback([&code] {
    fmt::print("{}", scenario::scenario_schema());
    code = kOk;
  });
}

}  // namespace loom::cli
