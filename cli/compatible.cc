// compatible: computes time shifts for jobs that share links, their compatibility score and the
// gain (CASSINI, NSDI 2024).
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/base/units.h"
#include "loom/compatibility/compatible_study.h"

namespace loom::cli {
namespace {

struct CompatibleCommandOptions {
  std::string jobs;
  OutputOptions output;
  RunCommandOptions run;
  compatibility::CompatibleOptions options;
  std::string phase_error = "5%";
  std::string padding = "10%";
  std::string tolerance = "0%";
  std::string plot;
  std::string html;
  std::string profiles;
};

// Rejects values other than percentages from 0% to `max`.
std::function<std::string(const std::string&)> percentage_to(double max) {
  return [max](const std::string& text) -> std::string {
    std::string why;
    const auto fraction = parse_percentage(text, why);
    if (!fraction) return fmt::format("{} is given; {}", text, why);
    if (100 * *fraction <= max) return "";
    return fmt::format("{} is given; a percentage from 0% to {:g}% is needed", text, max);
  };
}

// Converts a percentage, already checked, to a fraction.
double fraction_of(const std::string& percentage) {
  std::string why;
  return parse_percentage(percentage, why).value();
}

jobs::ProfileFile profiles_from(const CompatibleCommandOptions& args) {
  const Tree tree = scenario::read_scenario_tree(args.jobs);
  if (!jobs::holds_profiles(tree)) {
    const scenario::Scenario scenario =
        one_point(scenario::read_scenarios(tree, args.run.overrides), args.run.point,
                  "choose with --point or --set");
    return {compatibility::profiles_of(scenario, args.run.threads), {}};
  }
  if (!args.run.overrides.empty()) {
    throw InputError(location_of("--set " + args.run.overrides.front()),
                     "the file has profiles; a scenario is needed for --set");
  }
  if (args.run.point > 0) {
    throw InputError(location_of(fmt::format("--point {}", args.run.point)),
                     "the file has profiles; a scenario is needed for --point");
  }
  return jobs::read_profiles(tree);
}

std::string title_of(const std::string& path) {
  const std::size_t folder = path.find_last_of('/');
  const std::string name = folder == std::string::npos ? path : path.substr(folder + 1);
  return "Jobs of " + name;
}

void write_files(const CompatibleCommandOptions& args, const Command& command,
                 const compatibility::CompatibleResult& result) {
  constexpr std::size_t kMaxLinksDrawn = 6;
  if (!args.profiles.empty()) write_file(args.profiles, profiles_yaml(result.profiles));
  if (!args.plot.empty()) {
    const report::CirclePicture picture = picture_of(result, title_of(args.jobs));
    write_file(args.plot, circles_svg(picture, links_to_draw(picture, kMaxLinksDrawn)));
  }
  if (!args.html.empty()) {
    write_file(args.html,
               circles_page(page_of(result, title_of(args.jobs), command_line(command))));
  }
}

int compatible_jobs(CompatibleCommandOptions& args, const Command& command) {
  args.options.jitter = fraction_of(args.phase_error);
  args.options.max_idle = fraction_of(args.padding);
  args.options.search.tolerance = fraction_of(args.tolerance);
  args.options.threads = args.run.threads;
  check_outputs({args.plot, args.html, args.profiles});
  const compatibility::CompatibleResult result = compatible(profiles_from(args), args.options);
  write_files(args, command, result);
  if (args.output.json) {
    fmt::print("{}\n", compatible_json(result).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(jobs_table(result)) : compatible_text(result));
  }
  return kOk;
}

void add_search_options(Command command, CompatibleCommandOptions& args) {
  command
      .add_option("--angles", args.options.angles,
                  "number of angles of an additional grid search, as in CASSINI, for comparison")
      .range(jobs::kMinAngles, jobs::kMaxAngles);
  command
      .add_option("--nodes", args.options.search.nodes,
                  "maximum size of the search tree; if reached, the optimality gap is reported")
      .positive()
      .capture_default_str();
  command
      .add_option("--seconds", args.options.search.seconds,
                  "time limit of the search in seconds; results then depend on the machine")
      .positive();
  command
      .add_option("--tolerance", args.tolerance,
                  "maximum change of a period, relative to it, so that all periods have a short "
                  "common multiple")
      .check(percentage_to(50))
      .type_name("PERCENT%")
      .capture_default_str();
  command
      .add_option("--phase-error", args.phase_error,
                  "maximum time by which a job is early or late in the score 'with phase error', "
                  "relative to its period")
      .check(percentage_to(50))
      .type_name("PERCENT%")
      .capture_default_str();
  command
      .add_option("--padding", args.padding,
                  "maximum idle time that a suggested padding adds to an iteration, relative to "
                  "the period; 0%: no suggestions")
      .check(percentage_to(100))
      .type_name("PERCENT%")
      .capture_default_str();
}

}  // namespace

void add_compatible(Command app, int& code) {
  Command command = app.add_subcommand(
      "compatible",
      "time shifts that minimize contention between jobs that share links, and the gain");
  command.group(kClusterGroup);
  auto args = std::make_shared<CompatibleCommandOptions>();
  command
      .add_option("JOBS", args->jobs,
                  "job profiles or a scenario with jobs (YAML); - for standard input")
      .required();
  add_output_options(command, args->output);
  add_search_options(command, *args);
  command.add_option("--plot", args->plot, "SVG file to write: circles before and after the shifts")
      .type_name("FILE.svg");
  command
      .add_option("--html", args->html,
                  "self-contained HTML page to write, with tables and circles")
      .type_name("FILE.html");
  command.add_option("--profiles", args->profiles, "YAML file to write: the profiles of the jobs")
      .type_name("FILE.yaml");
  command.add_option("--set", args->run.overrides, "value of a scenario to override")
      .type_name("PATH=VALUE")
      .allow_extra_args(false);
  add_point_option(command, args->run);
  command.add_option("--threads", args->run.threads, "maximum number of threads; 0 uses all cores")
      .non_negative();
  command.footer("Example:\n  lightloom compatible examples/compatible_two_jobs.yaml");
  command.callback([args, command, &code] { code = compatible_jobs(*args, command); });
}

}  // namespace loom::cli
