// simulate and compare: a scenario file in, one result or a ranking out.
#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/scenario_options.h"
#include "loom/base/files.h"
#include "loom/study/compare_tables.h"
#include "loom/study/html.h"
#include "loom/study/jobs_tables.h"
#include "loom/study/scenario.h"
#include "loom/study/tables.h"

namespace loom::cli {
namespace {

struct Flags {
  std::string scenario;
  std::string rostam;    // in its place
  std::string flexflow;  // likewise
  ScenarioFlags given;   // with it
  OutputFlags output;
  RunFlags run;
  std::string report;
  std::string plot;
  bool cost = false;
};

// The file is written when all is known; the command stands in it so that it can be made again.
void write_report(const Flags& flags, const CLI::App& command, const Tree& tree,
                  const std::vector<Result>& results) {
  if (flags.report.empty()) return;
  const std::string title = results.empty() ? flags.scenario : report_title(results.front());
  write_file(flags.report, report_html(results, {.title = title,
                                                 .version = LOOM_VERSION,
                                                 .command = command_line(command),
                                                 .scenario = to_yaml(tree)}));
}

std::shared_ptr<Flags> scenario_command(CLI::App& command) {
  auto flags = std::make_shared<Flags>();
  command.add_option("SCENARIO", flags->scenario, "YAML file; - for standard input");
  add_output_flags(command, flags->output);
  add_run_flags(command, flags->run);
  command
      .add_option("--report", flags->report,
                  "write charts, timeline and tables as one HTML file that opens anywhere")
      ->type_name("FILE.html");
  command.add_flag("--cost", flags->cost, "also what the fabric costs and draws");
  return flags;
}

RunOptions options_of(const Flags& flags) {
  RunOptions options = run_options(flags.run);
  options.details = !flags.report.empty();
  options.cost = flags.cost;
  return options;
}

// What a file says is changed by --set; an option for it would be passed over.
void refuse_beside_file(const std::map<std::string, std::string>& given, const std::string& path) {
  if (given.empty()) return;
  const auto& [name, text] = *given.begin();
  throw InputError(
      place_of(fmt::format("--{} {}", name == "kind" ? "fabric" : name, text)),
      fmt::format("SCENARIO is given; --set {}{}={} in its place is needed", path, name, text));
}

// The scenario's file, with the prices that the options name.
Tree file_tree(const Flags& flags) {
  std::map<std::string, std::string> others = flags.given.scenario;
  const auto prices = others.extract("prices");
  refuse_beside_file(others, "");
  refuse_beside_file(flags.given.workload, "workload.");
  refuse_beside_file(flags.given.fabric, "fabric.");
  Tree tree = read_scenario_tree(flags.scenario);
  if (prices) put_scenario_flags({{prices.key(), prices.mapped()}}, tree);
  return tree;
}

// The scenario's file, or what the options say of a profile or task graph.
Tree tree_of(const Flags& flags) {
  const int given = (flags.scenario.empty() ? 0 : 1) + (flags.rostam.empty() ? 0 : 1) +
                    (flags.flexflow.empty() ? 0 : 1);
  if (given != 1) {
    throw InputError(place_of("command line"),
                     "one of SCENARIO, --rostam and --flexflow is needed");
  }
  if (!flags.rostam.empty()) {
    return scenario_tree(flags.given, "rostam", flags.rostam, "--rostam");
  }
  if (!flags.flexflow.empty()) {
    return scenario_tree(flags.given, "flexflow", flags.flexflow, "--flexflow");
  }
  return file_tree(flags);
}

int simulate(const Flags& flags, const CLI::App& command) {
  check_outputs({flags.report});
  const Tree tree = tree_of(flags);
  const Scenario scenario = one_point(read_scenarios(tree, flags.run.overrides), flags.run.point);
  const std::vector<Result> results = {run(scenario, options_of(flags))};
  const int code = exit_code(results);
  if (code != kOk && flags.output.json && !results.front().infeasible.empty()) {
    const nlohmann::ordered_json json = {{"infeasible", results.front().infeasible}};
    fmt::print("{}\n", json.dump(2));
  }
  if (code != kOk) return code;
  write_report(flags, command, tree, results);
  if (flags.output.json) {
    fmt::print("{}\n", result_json(results.front()).dump(2));
  } else if (flags.output.csv) {
    const std::optional<JobsResult>& jobs = results.front().jobs;
    fmt::print("{}", to_csv(jobs ? jobs_table(*jobs) : compare_table(results)));
  } else {
    fmt::print("{}", result_text(results.front()));
  }
  return kOk;
}

// The line of the best row, where versus_best is 1.000, stands out on a terminal.
std::string with_best_marked(const std::string& table) {
  if (!coloured()) return table;
  std::string out;
  for (std::size_t begin = 0; begin < table.size();) {
    const std::size_t end = table.find('\n', begin);
    const std::string line = table.substr(begin, end - begin);
    out +=
        line.ends_with(" 1.000") ? fmt::format(fg(fmt::terminal_color::green), "{}", line) : line;
    out += '\n';
    begin = end + 1;
  }
  return out;
}

int compare(const Flags& flags, const CLI::App& command) {
  if (!flags.plot.empty() && !flags.plot.ends_with(".svg")) {
    throw InputError(place_of("--plot " + flags.plot), "a file that ends in .svg is needed");
  }
  check_outputs({flags.report, flags.plot});
  const Tree tree = file_tree(flags);
  const auto scenarios = read_scenarios(tree, flags.run.overrides);
  const std::vector<Result> results = run_all(scenarios, options_of(flags));
  write_report(flags, command, tree, results);
  if (!flags.plot.empty()) {
    const std::string title = results.empty() ? "" : report_title(results.front());
    write_file(flags.plot, to_svg(compare_chart(results, title)));
  }
  const Table table = compare_table(results);
  if (flags.output.json) {
    nlohmann::ordered_json json;
    json["rows"] = to_json(table);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(table) : with_best_marked(to_text(table)));
  }
  return exit_code(results);
}

}  // namespace

void add_simulate(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand("simulate", "run one scenario and show what came out");
  const auto flags = scenario_command(command);
  add_point_flag(command, flags->run);
  command
      .add_option("--rostam", flags->rostam,
                  "in place of a scenario: profiles PREFIX_bs1.pb … and, for the time to "
                  "accuracy, PREFIX_iter.prof")
      ->type_name("PREFIX");
  command
      .add_option("--flexflow", flags->flexflow,
                  "in place of a scenario: a task graph of FlexFlow, replayed as TopoOpt's "
                  "simulator does")
      ->type_name("FILE");
  add_scenario_options(command, flags->given);
  for (const Parameter& it : workload_parameters()) {
    const bool profiled = it.name == "batch" || it.name == "group" || it.name == "quantum";
    if (profiled) add_options(command, {&it, 1}, flags->given.workload, "Options");
  }
  command
      .add_option("--trace", flags->run.timeline,
                  "write a timeline for chrome://tracing or ui.perfetto.dev (.json or .json.gz)")
      ->type_name("FILE");
  command.callback([flags, &command, &code] { code = simulate(*flags, command); });
}

void add_compare(CLI::App& app, int& code) {
  CLI::App& command =
      *app.add_subcommand("compare", "run every fabric and every listed value, side by side");
  const auto flags = scenario_command(command);
  command.get_option("SCENARIO")->required();
  command.add_option("--plot", flags->plot, "write the times as a bar chart")
      ->type_name("FILE.svg");
  for (const Parameter& it : scenario_parameters()) {
    if (it.name == "prices") add_options(command, {&it, 1}, flags->given.scenario, "Options");
  }
  command.callback([flags, &command, &code] { code = compare(*flags, command); });
}

}  // namespace loom::cli
