// collective and flows: a scenario given by options instead of a file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/scenario_options.h"
#include "loom/report/compare_tables.h"
#include "loom/report/tables.h"
#include "loom/scenario/scenario.h"

namespace loom::cli {
namespace {

// Workload keys without an option: the kind, which is an argument, and keys of other workloads.
constexpr std::array<std::string_view, 8> kOthers = {"collective", "flows", "file",  "rostam",
                                                     "flexflow",   "batch", "group", "quantum"};

struct CollectiveOptions {
  std::string subject;  // the collective's kind, or the flow file
  ScenarioOptions given;
  OutputOptions output;
  RunCommandOptions run;
};

void add_common_options(Command command, CollectiveOptions& args) {
  add_scenario_options(command, args.given).required();
  add_output_options(command, args.output);
  add_run_options(command, args.run);
  command.add_option("--timeline", args.run.timeline, "timeline file to write (.json or .json.gz)")
      .type_name("FILE");
}

std::vector<scenario::Scenario> scenarios_of(const CollectiveOptions& args,
                                             const std::string& subject) {
  return scenario::read_scenarios(scenario_tree(args.given, subject, args.subject, subject),
                                  args.run.overrides);
}

int collective(const CollectiveOptions& args) {
  const auto scenarios = scenarios_of(args, "collective");
  const run::RunOptions options = run_options(args.run);
  if (!options.timeline.empty()) one_point(scenarios, 0, "a timeline needs single values");
  const std::vector<run::Report> results = run_all(scenarios, options);
  const int code = exit_code(results);
  if (code != kOk) return code;
  if (args.output.csv) {
    fmt::print("{}", report::to_csv(report::compare_table(results)));
  } else if (args.output.json && results.size() == 1) {
    fmt::print("{}\n", report::report_json(results.front()).dump(2));
  } else if (args.output.json) {
    nlohmann::ordered_json json;
    json["rows"] = to_json(report::compare_table(results));
    fmt::print("{}\n", json.dump(2));
  } else if (results.size() == 1) {
    fmt::print("{}\n{}", to_text(report::collective_table(results)),
               report::report_text(results.front()));
  } else {
    fmt::print("{}", to_text(report::collective_table(results)));
  }
  return kOk;
}

int flows(const CollectiveOptions& args) {
  const scenario::Scenario scenario =
      one_point(scenarios_of(args, "flows"), 0, "use 'lightloom compare' for several");
  const std::vector<run::Report> results = {run::run(scenario, run_options(args.run))};
  const int code = exit_code(results);
  if (code != kOk) return code;
  if (args.output.json) {
    fmt::print("{}\n", report::flows_json(results.front()).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? report::to_csv(report::flows_table(results.front()))
                                     : report::flows_text(results.front()));
  }
  return kOk;
}

}  // namespace

void add_collective(Command app, int& code) {
  Command command = app.add_subcommand(
      "collective", "time and bandwidth of one collective; a list such as [1MB,1GB] is a sweep");
  command.group(kSimulationGroup);
  auto args = std::make_shared<CollectiveOptions>();
  command.add_option("KIND", args->subject, "collective: all_reduce, all_gather, all_to_all, …")
      .required();
  std::vector<Parameter> parameters;
  for (const Parameter& parameter : scenario::workload_parameters()) {
    if (std::find(kOthers.begin(), kOthers.end(), parameter.name) != kOthers.end()) continue;
    parameters.push_back(parameter);
  }
  add_options(command, parameters, args->given.workload, "Options");
  add_common_options(command, *args);
  command.callback([args, &code] { code = collective(*args); });
}

void add_flows(Command app, int& code) {
  Command command =
      app.add_subcommand("flows", "completion time and slowdown of every flow in a CSV file");
  command.group(kSimulationGroup);
  auto args = std::make_shared<CollectiveOptions>();
  command
      .add_option("FILE", args->subject,
                  "CSV file with columns start, source, destination, size (and weight)")
      .required();
  add_common_options(command, *args);
  command.callback([args, &code] { code = flows(*args); });
}

}  // namespace loom::cli
