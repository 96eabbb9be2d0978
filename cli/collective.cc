// collective and flows: a scenario put together from options, without a file.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/study/scenario.h"
#include "loom/study/tables.h"

namespace loom::cli {
namespace {

// Values by option name, in three maps of the scenario.
struct Flags {
  std::string subject;  // the collective's kind, or the file of flows
  std::map<std::string, std::string> scenario;
  std::map<std::string, std::string> workload;
  std::map<std::string, std::string> fabric;
  OutputFlags output;
  RunFlags run;
};

void add_options(CLI::App& command, std::span<const Parameter> parameters,
                 std::map<std::string, std::string>& values, const std::string& group) {
  for (const Parameter& parameter : parameters) {
    const std::string name(parameter.name);
    if (command.get_option_no_throw("--" + name) != nullptr) continue;
    std::string help(parameter.summary);
    if (!parameter.fallback.empty()) help += fmt::format(" [{}]", parameter.fallback);
    command
        .add_option_function<std::string>(
            "--" + name, [&values, name](const std::string& text) { values[name] = text; }, help)
        ->type_name(parameter.type == ValueType::flag ? "true|false" : "VALUE")
        ->group(group);
  }
}

// Of all kinds, each name once. Where kinds mean different things by it, only they can say what.
std::vector<Parameter> fabric_parameters() {
  std::vector<Parameter> all;
  for (const FabricKind& kind : fabric_kinds()) {
    for (const Parameter& parameter : kind.parameters) {
      const auto known = std::find_if(
          all.begin(), all.end(), [&](const Parameter& it) { return it.name == parameter.name; });
      if (known == all.end()) {
        all.push_back(parameter);
      } else if (known->summary != parameter.summary) {
        known->summary = "depends on the kind: see 'lightloom fabrics KIND'";
        known->fallback = known->fallback == parameter.fallback ? known->fallback : "";
      }
    }
  }
  return all;
}

void add_scenario_options(CLI::App& command, Flags& flags) {
  add_options(command, scenario_parameters(), flags.scenario, "Options");
  command
      .add_option_function<std::string>(
          "--fabric", [&flags](const std::string& kind) { flags.fabric["kind"] = kind; },
          "kind of fabric; 'lightloom fabrics' lists them")
      ->type_name("KIND")
      ->required();
  add_options(command, fabric_parameters(), flags.fabric,
              "Fabric (which apply depends on its kind)");
  add_output_flags(command, flags.output);
  add_run_flags(command, flags.run);
  command.add_option("--trace", flags.run.timeline, "write a timeline (.json or .json.gz)")
      ->type_name("FILE");
}

// "[1MB, 1GB]" is a list, so an axis; anything else stands as it is.
Tree value_tree(const std::string& name, const std::string& text) {
  const Place place = place_of(fmt::format("--{} {}", name, text));
  return text.starts_with('[') ? parse_yaml_value(text, place) : scalar_tree(text, place);
}

Tree map_of(const std::map<std::string, std::string>& values, const Place& place) {
  Tree map;
  map.kind = Tree::Kind::map;
  map.place = place;
  for (const auto& [name, text] : values) {
    map.entries.push_back({name, value_tree(name == "kind" ? "fabric" : name, text)});
  }
  return map;
}

std::vector<Scenario> scenarios_of(const Flags& flags, const std::string& subject) {
  const Place here = place_of("command line");
  Tree workload = map_of(flags.workload, here);
  const Place said = place_of(subject + " " + flags.subject);  // the command is called so too
  workload.entries.push_back({subject, scalar_tree(flags.subject, said)});
  Tree tree = map_of(flags.scenario, here);
  tree.entries.push_back({"workload", std::move(workload)});
  tree.entries.push_back({"fabric", map_of(flags.fabric, here)});
  return read_scenarios(std::move(tree), flags.run.overrides);
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
    const bool other =
        parameter.name == "collective" || parameter.name == "flows" || parameter.name == "file";
    if (!other) parameters.push_back(parameter);
  }
  add_options(command, parameters, flags->workload, "Options");
  add_scenario_options(command, *flags);
  command.callback([flags, &code] { code = collective(*flags); });
}

void add_flows(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("flows", "completion time and slowdown of listed flows");
  auto flags = std::make_shared<Flags>();
  command
      .add_option("FILE", flags->subject,
                  "CSV with columns start, source, destination, size (and weight)")
      ->required();
  add_scenario_options(command, *flags);
  command.callback([flags, &code] { code = flows(*flags); });
}

}  // namespace loom::cli
