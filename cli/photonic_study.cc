// photonic study: simulates inference requests on Lightning and on the processors that the paper
// compares it with.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"
#include "loom/base/files.h"
#include "loom/lightning/serving_options.h"
#include "loom/lightning/serving_tables.h"

namespace loom::cli {
namespace {

struct StudyOptions {
  lightning::ServingOptions study;
  OutputOptions output;
  std::string plot;
};

// Throws if options for generated requests or repeated runs are given beside a trace.
void refuse_generation_options(const Command& command) {
  for (const char* const option : {"--load", "--runs", "--seed", "--idle", "--model", "--plot"}) {
    if (command.count(option) == 0) continue;
    throw InputError(location_of(option),
                     "it applies to generated requests; a study without --trace is needed");
  }
  if (command.count("--requests") > 1) {
    throw InputError(location_of("--requests"),
                     "a trace is evaluated once; a single number is needed");
  }
}

void report_left_out(const photonic::ServingSpec& spec) {
  if (!spec.left_out.empty()) fmt::print(stderr, "{}\n", lightning::left_out_text(spec));
}

int trace(const StudyOptions& args) {
  photonic::ServingSpec spec = serving_spec(args.study);
  const std::vector<photonic::Arrival> arrivals = read_trace(args.study, spec);
  report_left_out(spec);
  const std::vector<lightning::TraceMeans> means = lightning::run_trace(spec, arrivals);
  if (args.output.json) {
    fmt::print("{}\n", trace_json(means, spec.left_out).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(trace_table(means)) : to_text(trace_table(means)));
  }
  return kOk;
}

int study(const Command& command, const StudyOptions& args) {
  if (!args.study.trace.empty()) {
    refuse_generation_options(command);
    return trace(args);
  }
  const photonic::ServingSpec spec = serving_spec(args.study);
  report_left_out(spec);
  const lightning::ServingResult result = lightning::run_serving(spec);
  if (!args.plot.empty()) write_file(args.plot, serving_svg(result));
  if (args.output.json) {
    fmt::print("{}\n", serving_json(result).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(serving_table(result)) : serving_text(result));
  }
  return kOk;
}

}  // namespace

void add_photonic_study(Command group, int& code) {
  Command command = group.add_subcommand(
      "study", "serving times of inference requests on Lightning, GPUs and other accelerators");
  command.footer(
      "Examples:\n"
      "  lightloom photonic study --load 1Mbps,60Mbps --requests 50,100,200\n"
      "  lightloom photonic study --trace requests.csv --processor Lightning,A100");
  auto args = std::make_shared<StudyOptions>();
  lightning::ServingOptions& study_options = args->study;
  command
      .add_option("--load", study_options.loads,
                  "offered load as the bandwidth at which inputs arrive; the paper uses 60Mbps")
      .delimiter(',')
      .type_name("SPEED,...");
  command
      .add_option(
          "--requests", study_options.requests,
          "lengths of a run: it ends when its first N requests are answered; 100 by default")
      .delimiter(',')
      .range(1, 100000)
      .type_name("N,...");
  command
      .add_option("--processor", study_options.processors,
                  "processors to study; the others are compared with the first")
      .delimiter(',')
      .type_name("NAME,...");
  command.add_option("--model", study_options.models, "networks to request, with equal probability")
      .delimiter(',')
      .type_name("NAME,...");
  command.add_option("--runs", study_options.runs, "runs per point, each with different requests")
      .range(1, 10000)
      .type_name("N");
  add_seed_option(command, study_options.seed, "seed of the generated requests");
  command
      .add_option("--batch", study_options.batch, "maximum batch size of A100-fair and A100X-fair")
      .range(1, 256)
      .type_name("N");
  command.add_option("--idle", study_options.idle, "idle power as a fraction of a board's power")
      .range(0.0, 1.0)
      .type_name("SHARE");
  command
      .add_option("--trace", study_options.trace,
                  "CSV file of requests (model,arrival in ns) instead of generated requests")
      .type_name("FILE");
  command
      .add_option("--layers", study_options.layers,
                  "CSV file of networks (model,layer_id,vec_len,num_vvp,prereqs)")
      .type_name("FILE");
  command
      .add_option("--threads", study_options.threads,
                  "maximum number of threads; results do not depend on it")
      .range(1, 1024)
      .type_name("N");
  command.add_option("--plot", args->plot, "SVG file to write: time and ratio over load")
      .type_name("FILE");
  add_output_options(command, args->output);
  command.callback([args, command, &code] { code = study(command, *args); });
}

}  // namespace loom::cli
