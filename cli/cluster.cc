// cluster: a day of many training jobs on one network.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/study/day_study.h"

namespace loom::cli {
namespace {

struct ClusterFlags {
  std::string trace;
  OutputFlags output;
  std::vector<std::string> overrides;
  std::string plot;
  std::string plotted = "completion";
  int threads = 0;
};

int cluster(const ClusterFlags& flags) {
  check_outputs({flags.plot});
  const DayFile file = read_day(read_day_tree(flags.trace), flags.overrides);
  RunFlags run;
  run.threads = flags.threads;
  const std::vector<DayPoint> days =
      run_days(file, {.threads = flags.threads, .progress = run_options(run).progress});
  for (const DayPoint& it : days) {
    if (it.result.infeasible.empty()) continue;
    fmt::print(stderr, "{}\n", it.result.infeasible);
    return kInfeasible;
  }
  if (!flags.plot.empty()) {
    const DayPlot what =
        flags.plotted == kDayPlotNames[0] ? DayPlot::completion : DayPlot::iterations;
    write_file(flags.plot, days_svg(days, what));
  }
  if (flags.output.json) {
    fmt::print("{}\n", days_json(days).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(day_jobs_table(days)) : days_text(days));
  }
  return kOk;
}

}  // namespace

void add_cluster(CLI::App& app, int& code) {
  CLI::App& command = *app.add_subcommand(
      "cluster", "a cluster's day: jobs arrive, wait, share the network and end");
  auto flags = std::make_shared<ClusterFlags>();
  command
      .add_option(
          "TRACE", flags->trace,
          "YAML file of a cluster and its jobs (- for standard input), or .csv file of jobs")
      ->required();
  add_output_flags(command, flags->output);
  command
      .add_option("--set", flags->overrides,
                  "override a value, e.g. policy=fair or 'cassini=[false, true]'")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  auto* plot = command.add_option("--plot", flags->plot, "distribution as SVG")->type_name("FILE");
  command.add_option("--of", flags->plotted, "what --plot shows")
      ->needs(plot)
      ->check(CLI::IsMember(std::vector<std::string>(kDayPlotNames.begin(), kDayPlotNames.end())))
      ->capture_default_str();
  command.add_option("--threads", flags->threads, "at most this many; results do not depend on it")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command.footer("Example: lightloom cluster examples/cluster_day.yaml --set policy=goodput");
  command.callback([flags, &code] { code = cluster(*flags); });
}

}  // namespace loom::cli
