// compatible: may these jobs share these links, how should they be shifted, and what do they gain.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/study/compatible_study.h"

namespace loom::cli {
namespace {

struct CompatibleFlags {
  std::string jobs;
  OutputFlags output;
  RunFlags run;
  CompatibleOptions options;
  double jitter = 5;  // percent, as the next two
  double padding = 10;
  double tolerance = 0;
  std::string plot;
  std::string html;
  std::string profiles;
};

ProfileFile profiles_from(const CompatibleFlags& flags) {
  const Tree tree = read_scenario_tree(flags.jobs);
  if (!holds_profiles(tree)) {
    const Scenario scenario = one_point(read_scenarios(tree, flags.run.overrides), flags.run.point,
                                        "choose with --point or --set");
    return {profiles_of(scenario, flags.run.threads), {}};
  }
  if (!flags.run.overrides.empty()) {
    throw InputError(place_of("--set " + flags.run.overrides.front()),
                     "the file holds profiles; a scenario is needed to set something");
  }
  if (flags.run.point > 0) {
    throw InputError(place_of(fmt::format("--point {}", flags.run.point)),
                     "the file holds profiles; a scenario is needed to choose a point of");
  }
  return read_profiles(tree);
}

std::string title_of(const std::string& path) {
  const std::size_t folder = path.find_last_of('/');
  const std::string name = folder == std::string::npos ? path : path.substr(folder + 1);
  return "Jobs of " + name;
}

void write_files(const CompatibleFlags& flags, const CLI::App& command,
                 const CompatibleResult& result) {
  constexpr std::size_t kMostDrawn = 6;
  if (!flags.profiles.empty()) write_file(flags.profiles, profiles_yaml(result.profiles));
  if (!flags.plot.empty()) {
    const CirclePicture picture = picture_of(result, title_of(flags.jobs));
    write_file(flags.plot, circles_svg(picture, links_to_draw(picture, kMostDrawn)));
  }
  if (!flags.html.empty()) {
    write_file(flags.html,
               circles_page(page_of(result, title_of(flags.jobs), command_line(command))));
  }
}

int compatible_jobs(CompatibleFlags& flags, const CLI::App& command) {
  flags.options.jitter = flags.jitter / 100;
  flags.options.most_idle = flags.padding / 100;
  flags.options.search.tolerance = flags.tolerance / 100;
  flags.options.threads = flags.run.threads;
  check_outputs({flags.plot, flags.html, flags.profiles});
  const CompatibleResult result = compatible(profiles_from(flags), flags.options);
  write_files(flags, command, result);
  if (flags.output.json) {
    fmt::print("{}\n", compatible_json(result).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(jobs_table(result)) : compatible_text(result));
  }
  return kOk;
}

void add_search_flags(CLI::App& command, CompatibleFlags& flags) {
  command
      .add_option("--angles", flags.options.angles,
                  "also the best on a grid of so many angles, to compare")
      ->check(CLI::Range(kFewestAngles, kMostAngles));
  command
      .add_option("--nodes", flags.options.search.nodes,
                  "of the search at most; what is left open is told")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--seconds", flags.options.search.seconds,
                  "end the search after so long; another machine may then find other shifts")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--tolerance", flags.tolerance,
                  "percent by which periods may be rounded to come round together sooner")
      ->check(CLI::Range(0.0, 50.0))
      ->capture_default_str();
  command.add_option("--jitter", flags.jitter, "percent of its period by which a job may be off")
      ->check(CLI::Range(0.0, 50.0))
      ->capture_default_str();
  command
      .add_option("--padding", flags.padding,
                  "percent of idle time that longer iterations may cost; 0: none are suggested")
      ->check(CLI::Range(0.0, 100.0))
      ->capture_default_str();
}

}  // namespace

void add_compatible(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand(
      "compatible", "when jobs that share links should talk, and what they gain by it");
  auto flags = std::make_shared<CompatibleFlags>();
  command
      .add_option("JOBS", flags->jobs,
                  "YAML file of profiles, or a scenario with jobs; - for standard input")
      ->required();
  add_output_flags(command, flags->output);
  add_search_flags(command, *flags);
  command.add_option("--plot", flags->plot, "draw the circles, before and after")
      ->type_name("FILE.svg");
  command.add_option("--html", flags->html, "tables and circles as one page that opens anywhere")
      ->type_name("FILE.html");
  command.add_option("--profiles", flags->profiles, "write the profiles, such as a scenario's")
      ->type_name("FILE.yaml");
  command.add_option("--set", flags->run.overrides, "override a value of a scenario")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  add_point_flag(command, flags->run);
  command.add_option("--threads", flags->run.threads, "0: as many as the machine has")
      ->check(CLI::NonNegativeNumber);
  command.footer("Example:\n  lightloom compatible examples/compatible_two_jobs.yaml");
  command.callback([flags, &command, &code] { code = compatible_jobs(*flags, command); });
}

}  // namespace loom::cli
