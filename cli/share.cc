// share: iteration times of jobs that share links under a transport.
#include "loom/compatibility/share.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "loom/base/files.h"
#include "loom/jobs/contention/transports/transports.h"

namespace loom::cli {
namespace {

struct ShareOptions {
  std::string file;
  std::string plot;
  compatibility::ShareRequest request;
  OutputOptions output;
};

int share(const ShareOptions& args) {
  check_outputs({args.plot});
  const compatibility::ShareResult result =
      share_links(scenario::read_scenario_tree(args.file), args.request);
  if (!args.plot.empty()) write_file(args.plot, share_plot(result));
  if (args.output.json) {
    fmt::print("{}\n", share_json(result).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(share_jobs_table(result)) : share_text(result));
  }
  return result.run.complete ? kOk : kLimit;
}

void add_transport_options(Command command, compatibility::ShareRequest& request) {
  command
      .add_option("--transport", request.transport,
                  fmt::format("transport: {}", fmt::join(jobs::kTransportNames, ", ")))
      .capture_default_str();
  command.add_option("--weights", request.weights, "weight per job, such as 60,40").delimiter(',');
  command.add_option("--slope", request.slope, "slope of MLTCP's F(r) = slope r + intercept")
      .capture_default_str();
  command.add_option("--intercept", request.intercept, "intercept of MLTCP's F(r)")
      .capture_default_str();
  command
      .add_option("--share", request.share,
                  "bandwidth shares under MLTCP: proportional to F (linear) or to its square root "
                  "(square_root)")
      .capture_default_str();
  command.add_option("--contention-loss", request.contention_loss,
                     "fraction of a link's capacity lost while several jobs send and demand more "
                     "than it has; 0 by default, refused with srpt");
}

}  // namespace

void add_share(Command app, int& code) {
  Command command = app.add_subcommand(
      "share", "iteration times of jobs that share links under a transport such as MLTCP");
  command.group(kClusterGroup);
  command.footer(
      "\n  lightloom share examples/data/shared_link.yaml --start 0ms,5ms --transport mltcp --plot "
      "times.svg");
  auto args = std::make_shared<ShareOptions>();
  compatibility::ShareRequest& request = args->request;
  command.add_option("FILE", args->file, "job profiles (YAML); - for standard input").required();
  add_transport_options(command, request);
  const Option start = command
                           .add_option("--start", request.starts,
                                       "start time of each job's first iteration, such as 0ms,5ms")
                           .delimiter(',');
  command
      .add_flag("--shift", request.shift, "start times that minimize contention between the jobs")
      .excludes(start);
  command
      .add_option("--iterations", request.iterations,
                  "minimum iterations per job; all jobs run until the last one has completed them")
      .range(std::int64_t{1}, std::int64_t{1'000'000})
      .capture_default_str();
  command
      .add_option(
          "--jitter", request.jitter,
          "sigma of computation times: each is multiplied by exp(jitter · z), z standard normal")
      .range(0.0, 1.0);
  command.add_option("--seed", request.seed, "seed of the jitter").capture_default_str();
  command.add_flag(
      "--realign", request.realign,
      "periods padded by 2 % plus the jitter; a job that drifts by 5 % waits to realign");
  command.add_option("--plot", args->plot, "SVG file to write: chart of iteration times")
      .type_name("FILE");
  add_output_options(command, args->output);
  command.callback([args, &code] { code = share(*args); });
}

}  // namespace loom::cli
