// fabrics, dump and schema: what there is, and every stage of a scenario as text.
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
  Addressing addressing;
  RunCommandOptions run;
};

int dump(const DumpOptions& args) {
  const Scenario scenario = one_point(
      read_scenarios(read_scenario_tree(args.scenario), args.run.overrides), args.run.point);
  const Stage stage = dump_stage(scenario, args.stage, run_options(args.run), args.addressing);
  fmt::print("{}", stage.text);
  return exit_code(stage.deadlock);
}

}  // namespace

void add_fabrics(Command app, int& code) {
  Command command = app.add_subcommand("fabrics", "the kinds of fabric and their parameters");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command.add_option("KIND", *name, "only this one");
  command.add_flag("--json", *json, "as JSON");
  command.callback([name, json, &code] {
    fmt::print("{}", *json ? fabrics_json(*name).dump(2) + "\n" : fabrics_text(*name));
    code = kOk;
  });
}

void add_dump(Command app, int& code) {
  Command command = app.add_subcommand(
      "dump", "a stage of a scenario as text, to read, edit and give back with --from");
  auto args = std::make_shared<DumpOptions>();
  command.add_option("SCENARIO", args->scenario, "YAML file; - for standard input").required();
  command
      .add_option("--stage", args->stage,
                  "scenario, links, workload, messages (collectives written out) or trace; for a "
                  "cluster: circuits, cross_connects, cross_connects_json, forwarding, msccl")
      .one_of(std::vector<std::string>(stage_names().begin(), stage_names().end()))
      .capture_default_str();
  command
      .add_option("--addresses", args->addressing.pattern,
                  "forwarding: of hosts, by plane and the two parts of a device's number")
      .type_name("PATTERN")
      .capture_default_str();
  command.add_option("--interface", args->addressing.interface, "forwarding: of a host on a plane")
      .type_name("PATTERN")
      .capture_default_str();
  add_run_options(command, args->run);
  add_point_option(command, args->run);
  command.callback([args, &code] { code = dump(*args); });
}

void add_schema(Command app, int& code) {
  Command command =
      app.add_subcommand("schema", "the JSON Schema of scenarios, for completion in editors");
  command.callback([&code] {
    fmt::print("{}", scenario_schema());
    code = kOk;
  });
}

}  // namespace loom::cli
