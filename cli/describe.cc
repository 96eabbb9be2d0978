// fabrics, dump and schema: what there is, and every stage of a scenario as text.
#include "loom/study/describe.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"

namespace loom::cli {
namespace {

struct DumpFlags {
  std::string scenario;
  std::string stage = "scenario";
  Addressing addressing;
  RunFlags run;
};

int dump(const DumpFlags& flags) {
  const Scenario scenario = one_point(
      read_scenarios(read_scenario_tree(flags.scenario), flags.run.overrides), flags.run.point);
  const Stage stage = dump_stage(scenario, flags.stage, run_options(flags.run), flags.addressing);
  fmt::print("{}", stage.text);
  return exit_code(stage.deadlock);
}

}  // namespace

void add_fabrics(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("fabrics", "the kinds of fabric and their parameters");
  auto name = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command.add_option("KIND", *name, "only this one");
  command.add_flag("--json", *json, "as JSON");
  command.callback([name, json, &code] {
    fmt::print("{}", *json ? fabrics_json(*name).dump(2) + "\n" : fabrics_text(*name));
    code = kOk;
  });
}

void add_dump(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand(
      "dump", "a stage of a scenario as text, to read, edit and give back with --from");
  auto flags = std::make_shared<DumpFlags>();
  command.add_option("SCENARIO", flags->scenario, "YAML file; - for standard input")->required();
  command
      .add_option("--stage", flags->stage,
                  "scenario, links, workload, messages (collectives written out) or trace; for a "
                  "cluster: circuits, cross_connects, cross_connects_json, forwarding, msccl")
      ->check(CLI::IsMember(std::vector<std::string>(stage_names().begin(), stage_names().end())))
      ->capture_default_str();
  command
      .add_option("--addresses", flags->addressing.pattern,
                  "forwarding: of hosts, by plane and the two parts of a device's number")
      ->type_name("PATTERN")
      ->capture_default_str();
  command
      .add_option("--interface", flags->addressing.interface, "forwarding: of a host on a plane")
      ->type_name("PATTERN")
      ->capture_default_str();
  add_run_flags(command, flags->run);
  add_point_flag(command, flags->run);
  command.callback([flags, &code] { code = dump(*flags); });
}

void add_schema(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("schema", "the JSON Schema of scenarios, for completion in editors");
  command.callback([&code] {
    fmt::print("{}", scenario_schema());
    code = kOk;
  });
}

}  // namespace loom::cli
