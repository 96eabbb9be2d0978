// compatible: may these jobs share these links, how should they be shifted, and what do they gain.
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
  CompatibleOptions options;
  std::string phase_error = "5%";
  std::string padding = "10%";
  std::string tolerance = "0%";
  std::string plot;
  std::string html;
  std::string profiles;
};

// Refuses what is not a percentage from 0% to `max`.
std::function<std::string(const std::string&)> percentage_to(double max) {
  return [max](const std::string& text) -> std::string {
    std::string why;
    const auto fraction = parse_percentage(text, why);
    if (!fraction) return fmt::format("{} is given; {}", text, why);
    if (100 * *fraction <= max) return "";
    return fmt::format("{} is given; a percentage from 0% to {:g}% is needed", text, max);
  };
}

// Of a percentage that was checked.
double fraction_of(const std::string& percentage) {
  std::string why;
  return parse_percentage(percentage, why).value();
}

ProfileFile profiles_from(const CompatibleCommandOptions& args) {
  const Tree tree = read_scenario_tree(args.jobs);
  if (!holds_profiles(tree)) {
    const Scenario scenario = one_point(read_scenarios(tree, args.run.overrides), args.run.point,
                                        "choose with --point or --set");
    return {profiles_of(scenario, args.run.threads), {}};
  }
  if (!args.run.overrides.empty()) {
    throw InputError(location_of("--set " + args.run.overrides.front()),
                     "the file holds profiles; a scenario is needed to set something");
  }
  if (args.run.point > 0) {
    throw InputError(location_of(fmt::format("--point {}", args.run.point)),
                     "the file holds profiles; a scenario is needed to choose a point of");
  }
  return read_profiles(tree);
}

std::string title_of(const std::string& path) {
  const std::size_t folder = path.find_last_of('/');
  const std::string name = folder == std::string::npos ? path : path.substr(folder + 1);
  return "Jobs of " + name;
}

void write_files(const CompatibleCommandOptions& args, const Command& command,
                 const CompatibleResult& result) {
  constexpr std::size_t kMaxLinksDrawn = 6;
  if (!args.profiles.empty()) write_file(args.profiles, profiles_yaml(result.profiles));
  if (!args.plot.empty()) {
    const CirclePicture picture = picture_of(result, title_of(args.jobs));
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
  const CompatibleResult result = compatible(profiles_from(args), args.options);
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
                  "also the best on a grid of so many angles, to compare")
      .range(kMinAngles, kMaxAngles);
  command
      .add_option("--nodes", args.options.search.nodes,
                  "of the search at most; what is left open is told")
      .positive()
      .capture_default_str();
  command
      .add_option("--seconds", args.options.search.seconds,
                  "end the search after so long; another machine may then find other shifts")
      .positive();
  command
      .add_option("--tolerance", args.tolerance,
                  "largest relative change when periods are rounded to repeat together sooner")
      .check(percentage_to(50))
      .type_name("PERCENT%")
      .capture_default_str();
  command
      .add_option("--phase-error", args.phase_error,
                  "largest time by which a job starts early or late in the score with phase error, "
                  "relative to its period")
      .check(percentage_to(50))
      .type_name("PERCENT%")
      .capture_default_str();
  command
      .add_option(
          "--padding", args.padding,
          "largest idle time added to iterations, relative to the period; 0%: no padding is "
          "suggested")
      .check(percentage_to(100))
      .type_name("PERCENT%")
      .capture_default_str();
}

}  // namespace

void add_compatible(Command app, int& code) {
  Command command = app.add_subcommand(
      "compatible", "when jobs that share links should talk, and what they gain by it");
  auto args = std::make_shared<CompatibleCommandOptions>();
  command
      .add_option("JOBS", args->jobs,
                  "YAML file of profiles, or a scenario with jobs; - for standard input")
      .required();
  add_output_options(command, args->output);
  add_search_options(command, *args);
  command.add_option("--plot", args->plot, "draw the circles, before and after")
      .type_name("FILE.svg");
  command.add_option("--html", args->html, "tables and circles as one page that opens anywhere")
      .type_name("FILE.html");
  command.add_option("--profiles", args->profiles, "write the profiles, such as a scenario's")
      .type_name("FILE.yaml");
  command.add_option("--set", args->run.overrides, "override a value of a scenario")
      .type_name("PATH=VALUE")
      .allow_extra_args(false);
  add_point_option(command, args->run);
  command.add_option("--threads", args->run.threads, "0: as many as the machine has")
      .non_negative();
  command.footer("Example:\n  lightloom compatible examples/compatible_two_jobs.yaml");
  command.callback([args, command, &code] { code = compatible_jobs(*args, command); });
}

}  // namespace loom::cli
