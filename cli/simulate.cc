// simulate and compare: run a scenario file; print one result, or a table that compares all points.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/scenario_options.h"
#include "loom/base/files.h"
#include "loom/report/colocated_tables.h"
#include "loom/report/compare_tables.h"
#include "loom/report/html.h"
#include "loom/report/tables.h"
#include "loom/scenario/scenario.h"

namespace loom::cli {
namespace {

struct SimulateOptions {
  std::string scenario;
  std::string rostam;     // instead of scenario
  std::string flexflow;   // instead of scenario
  ScenarioOptions given;  // with rostam or flexflow
  OutputOptions output;
  RunCommandOptions run;
  std::string report;
  std::string plot;
  bool cost = false;
};

// Writes the HTML report, if requested. It contains the command line that reproduces it.
void write_report(const SimulateOptions& args, const Command& command, const Tree& tree,
                  const std::vector<run::Report>& results) {
  if (args.report.empty()) return;
  const std::string title = results.empty() ? args.scenario : report::report_title(results.front());
  write_file(args.report, report::report_html(results, {.title = title,
                                                        .version = LOOM_VERSION,
                                                        .command = command_line(command),
                                                        .scenario = to_yaml(tree)}));
}

std::shared_ptr<SimulateOptions> scenario_command(Command command) {
  auto args = std::make_shared<SimulateOptions>();
  command.add_option("SCENARIO", args->scenario, "scenario file (YAML); - for standard input");
  add_run_options(command, args->run);
  add_output_options(command, args->output);
  command
      .add_option("--report", args->report,
                  "self-contained HTML file to write, with charts, timeline and tables")
      .type_name("FILE.html");
  command.add_flag("--cost", args->cost, "price and power of the fabric, added to the output");
  return args;
}

struct OptionGroup {
  const char* heading;
  std::vector<const char*> options;
};

// Puts the options under headings in the help, which lists headings in the order of their first
// option. Call it after all options were added.
void group_options(Command command) {
  const std::vector<OptionGroup> groups = {
      {"Input",
       {"--set", "--from", "--point", "--rostam", "--flexflow", "--fabric", "--gpus", "--prices"}},
      {"Output", {"--json", "--csv", "--report", "--plot", "--timeline", "--cost"}},
      {"Simulation",
       {"--engine", "--sharing", "--seed", "--jitter", "--folding", "--no-folding", "--threads"}},
      {"Rostam profiles", {"--batch", "--group", "--quantum"}}};
  for (const OptionGroup& group : groups) {
    for (const char* const option : group.options) {
      if (command.has_option(option)) command.get_option(option).group(group.heading);
    }
  }
}

run::RunOptions options_of(const SimulateOptions& args) {
  run::RunOptions options = run_options(args.run);
  options.details = !args.report.empty();
  options.cost = args.cost;
  return options;
}

// Throws if options that describe a scenario are given in addition to a scenario file: its values
// are changed with --set.
void refuse_beside_file(const std::map<std::string, std::string>& given, const std::string& path) {
  if (given.empty()) return;
  const auto& [name, text] = *given.begin();
  throw InputError(
      location_of(fmt::format("--{} {}", name == "kind" ? "fabric" : option_name(name), text)),
      fmt::format("SCENARIO is given; use --set {}{}={} instead", path, name, text));
}

// Reads the scenario file and applies --prices.
Tree file_tree(const SimulateOptions& args) {
  std::map<std::string, std::string> others = args.given.scenario;
  const auto prices = others.extract("prices");
  refuse_beside_file(others, "");
  refuse_beside_file(args.given.workload, "workload.");
  refuse_beside_file(args.given.fabric, "fabric.");
  Tree tree = scenario::read_scenario_tree(args.scenario);
  if (prices) put_scenario_options({{prices.key(), prices.mapped()}}, tree);
  return tree;
}

// Reads the scenario file, or makes a scenario from --rostam or --flexflow and the other options.
Tree tree_of(const SimulateOptions& args) {
  const int given = (args.scenario.empty() ? 0 : 1) + (args.rostam.empty() ? 0 : 1) +
                    (args.flexflow.empty() ? 0 : 1);
  if (given != 1) {
    throw InputError(location_of("command line"),
                     "one of SCENARIO, --rostam and --flexflow is needed");
  }
  if (!args.rostam.empty()) {
    return scenario_tree(args.given, "rostam", args.rostam, "--rostam");
  }
  if (!args.flexflow.empty()) {
    return scenario_tree(args.given, "flexflow", args.flexflow, "--flexflow");
  }
  return file_tree(args);
}

int simulate(const SimulateOptions& args, const Command& command) {
  check_outputs({args.report});
  const Tree tree = tree_of(args);
  const scenario::Scenario scenario =
      one_point(scenario::read_scenarios(tree, args.run.overrides), args.run.point);
  const std::vector<run::Report> results = {run::run(scenario, options_of(args))};
  const int code = exit_code(results);
  if (code != kOk && args.output.json && results.front().infeasible) {
    const nlohmann::ordered_json json = {{"infeasible", results.front().infeasible->why}};
    fmt::print("{}\n", json.dump(2));
  }
  if (code != kOk) return code;
  write_report(args, command, tree, results);
  if (args.output.json) {
    fmt::print("{}\n", report::report_json(results.front()).dump(2));
  } else if (args.output.csv) {
    const auto* jobs = results.front().as<run::ColocatedReport>();
    fmt::print("{}", report::to_csv(jobs != nullptr ? report::jobs_table(*jobs)
                                                    : report::compare_table(results)));
  } else {
    fmt::print("{}", report::report_text(results.front()));
  }
  return kOk;
}

// Returns the table with its best rows, whose versus_best is 1.000, in green if the output is a
// terminal.
std::string with_best_marked(const std::string& table) {
  if (!colored()) return table;
  std::string out;
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = table.find('\n', begin);
    const std::string line = table.substr(begin, end - begin);
    out += line.ends_with(" 1.000") ? "\033[32m" + line + "\033[0m" : line;
    out += '\n';
    begin = end + 1;
  }
  return out;
}

int compare(const SimulateOptions& args, const Command& command) {
  if (!args.plot.empty() && !args.plot.ends_with(".svg")) {
    throw InputError(location_of("--plot " + args.plot), "a file that ends in .svg is needed");
  }
  check_outputs({args.report, args.plot});
  const Tree tree = file_tree(args);
  const auto scenarios = scenario::read_scenarios(tree, args.run.overrides);
  const std::vector<run::Report> results = run_all(scenarios, options_of(args));
  write_report(args, command, tree, results);
  if (!args.plot.empty()) {
    const std::string title = results.empty() ? "" : report::report_title(results.front());
    write_file(args.plot, report::to_svg(report::compare_chart(results, title)));
  }
  const report::Table table = report::compare_table(results);
  if (args.output.json) {
    nlohmann::ordered_json json;
    json["rows"] = to_json(table);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(table) : with_best_marked(to_text(table)));
  }
  return exit_code(results);
}

}  // namespace

void add_simulate(Command app, int& code) {
  Command command = app.add_subcommand(
      "simulate", "completion time, traffic and link utilization of one scenario");
  command.group(kSimulationGroup);
  const auto args = scenario_command(command);
  add_point_option(command, args->run);
  command
      .add_option("--rostam", args->rostam,
                  "Rostam profiles instead of a scenario: PREFIX_bs1.pb … and, for the time to "
                  "accuracy, PREFIX_iter.prof")
      .type_name("PREFIX");
  command
      .add_option("--flexflow", args->flexflow,
                  "FlexFlow task graph instead of a scenario, replayed as in TopoOpt's simulator")
      .type_name("FILE");
  add_scenario_options(command, args->given);
  for (const Parameter& it : scenario::workload_parameters()) {
    const bool profiled = it.name == "batch" || it.name == "group" || it.name == "quantum";
    if (profiled) add_options(command, {&it, 1}, args->given.workload, "Options");
  }
  command
      .add_option(
          "--timeline", args->run.timeline,
          "timeline file to write, for chrome://tracing or ui.perfetto.dev (.json or .json.gz)")
      .type_name("FILE");
  group_options(command);
  command.callback([args, command, &code] { code = simulate(*args, command); });
}

void add_compare(Command app, int& code) {
  Command command = app.add_subcommand(
      "compare", "comparison table of all fabrics and listed values of a scenario");
  command.group(kSimulationGroup);
  const auto args = scenario_command(command);
  command.get_option("SCENARIO").required();
  command.add_option("--plot", args->plot, "SVG file to write: bar chart of the times")
      .type_name("FILE.svg");
  for (const Parameter& it : scenario::scenario_parameters()) {
    if (it.name == "prices") add_options(command, {&it, 1}, args->given.scenario, "Options");
  }
  group_options(command);
  command.callback([args, command, &code] { code = compare(*args, command); });
}

}  // namespace loom::cli
