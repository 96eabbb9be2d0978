// cluster: scheduling simulation of training jobs that arrive, wait and run on one network.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/scheduling/scheduling_study.h"

namespace loom::cli {
namespace {

struct ClusterOptions {
  std::string trace;
  OutputOptions output;
  std::vector<std::string> overrides;
  std::string plot;
  std::string plotted = "completion";
  int threads = 0;
};

int cluster(const ClusterOptions& args) {
  check_outputs({args.plot});
  const scheduling::SchedulingFile file = scheduling::read_scheduling_file(
      scheduling::read_scheduling_tree(args.trace), args.overrides);
  RunCommandOptions run;
  run.threads = args.threads;
  const std::vector<scheduling::SchedulingPoint> runs =
      run_scheduling_points(file, {.threads = args.threads, .progress = run_options(run).progress});
  for (const scheduling::SchedulingPoint& it : runs) {
    if (!it.result.infeasible) continue;
    fmt::print(stderr, "{}\n", it.result.infeasible->why);
    return kInfeasible;
  }
  if (!args.plot.empty()) {
    const scheduling::SchedulingPlot what = args.plotted == scheduling::kSchedulingPlotNames[0]
                                                ? scheduling::SchedulingPlot::completion
                                                : scheduling::SchedulingPlot::iterations;
    write_file(args.plot, scheduling_svg(runs, what));
  }
  if (args.output.json) {
    fmt::print("{}\n", scheduling_json(runs).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(scheduled_jobs_table(runs)) : scheduling_text(runs));
  }
  return kOk;
}

}  // namespace

void add_cluster(Command app, int& code) {
  Command command = app.add_subcommand(
      "cluster", "queueing, completion and iteration times of the jobs of a cluster trace");
  command.group(kClusterGroup);
  auto args = std::make_shared<ClusterOptions>();
  command
      .add_option(
          "TRACE", args->trace,
          "YAML file with a cluster and its jobs (- for standard input), or .csv file of jobs")
      .required();
  add_output_options(command, args->output);
  command
      .add_option("--set", args->overrides,
                  "value to override, e.g. policy=fair or 'cassini=[false, true]'")
      .type_name("PATH=VALUE")
      .allow_extra_args(false);
  const Option plot =
      command
          .add_option("--plot", args->plot,
                      "SVG file to write: cumulative distribution of the quantity that --of names")
          .type_name("FILE");
  command.add_option("--of", args->plotted, "quantity whose distribution --plot shows")
      .needs(plot)
      .one_of(std::vector<std::string>(scheduling::kSchedulingPlotNames.begin(),
                                       scheduling::kSchedulingPlotNames.end()))
      .capture_default_str();
  command
      .add_option("--threads", args->threads,
                  "maximum number of threads; results do not depend on it")
      .positive()
      .type_name("N");
  command.footer("Example: lightloom cluster examples/cluster_trace.yaml --set policy=goodput");
  command.callback([args, &code] { code = cluster(*args); });
}

}  // namespace loom::cli
