// collective and flows: a scenario put together from options, without a file.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/scenario_options.h"
#include "loom/study/compare_tables.h"
#include "loom/study/scenario.h"
#include "loom/study/tables.h"

namespace loom::cli {
namespace {

// What of a workload is not of a collective, or is named otherwise.
constexpr std::array<std::string_view, 8> kOthers = {"collective", "flows", "file",  "rostam",
                                                     "flexflow",   "batch", "group", "quantum"};

struct Flags {
  std::string subject;  // the collective's kind, or the file of flows
  ScenarioFlags given;
  OutputFlags output;
  RunFlags run;
};

void add_common_options(CLI::App& command, Flags& flags) {
  add_scenario_options(command, flags.given)->required();
  add_output_flags(command, flags.output);
  add_run_flags(command, flags.run);
  command.add_option("--trace", flags.run.timeline, "write a timeline (.json or .json.gz)")
      ->type_name("FILE");
}

std::vector<Scenario> scenarios_of(const Flags& flags, const std::string& subject) {
  return read_scenarios(scenario_tree(flags.given, subject, flags.subject, subject),
                        flags.run.overrides);
}

int collective(const Flags& flags) {
  const auto scenarios = scenarios_of(flags, "collective");
  const RunOptions options = run_options(flags.run);
  if (!options.timeline.empty()) one_point(scenarios, 0, "a timeline is of single values");
  const std::vector<Result> results = run_all(scenarios, options);
  const int code = exit_code(results);
  if (code != kOk) return code;
  if (flags.output.csv) {
    fmt::print("{}", to_csv(compare_table(results)));
  } else if (flags.output.json && results.size() == 1) {
    fmt::print("{}\n", result_json(results.front()).dump(2));
  } else if (flags.output.json) {
    nlohmann::ordered_json json;
    json["rows"] = to_json(compare_table(results));
    fmt::print("{}\n", json.dump(2));
  } else if (results.size() == 1) {
    fmt::print("{}\n{}", to_text(collective_table(results)), result_text(results.front()));
  } else {
    fmt::print("{}", to_text(collective_table(results)));
  }
  return kOk;
}

int flows(const Flags& flags) {
  const Scenario scenario =
      one_point(scenarios_of(flags, "flows"), 0, "for several use 'lightloom compare'");
  const std::vector<Result> results = {run(scenario, run_options(flags.run))};
  const int code = exit_code(results);
  if (code != kOk) return code;
  if (flags.output.json) {
    fmt::print("{}\n", flows_json(results.front()).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(flows_table(results.front()))
                                      : flows_text(results.front()));
  }
  return kOk;
}

}  // namespace

void add_collective(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand(
      "collective", "time one collective; a value such as [1MB,1GB] is swept over");
  auto flags = std::make_shared<Flags>();
  command.add_option("KIND", flags->subject, "all_reduce, all_gather, all_to_all, …")->required();
  std::vector<Parameter> parameters;
  for (const Parameter& parameter : workload_parameters()) {
    if (std::find(kOthers.begin(), kOthers.end(), parameter.name) != kOthers.end()) continue;
    parameters.push_back(parameter);
  }
  add_options(command, parameters, flags->given.workload, "Options");
  add_common_options(command, *flags);
  command.callback([flags, &code] { code = collective(*flags); });
}

void add_flows(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("flows", "completion time and slowdown of listed flows");
  auto flags = std::make_shared<Flags>();
  command
      .add_option("FILE", flags->subject,
                  "CSV with columns start, source, destination, size (and weight)")
      ->required();
  add_common_options(command, *flags);
  command.callback([flags, &code] { code = flows(*flags); });
}

}  // namespace loom::cli
