// photonic study: requests on Lightning and on what it was compared with.
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
  ServingOptions study;
  OutputOptions output;
  std::string plot;
};

// What says how requests are drawn and runs summed up says nothing of a trace.
void refuse_drawing(const Command& command) {
  for (const char* const option : {"--load", "--runs", "--seed", "--idle", "--model", "--plot"}) {
    if (command.count(option) == 0) continue;
    throw InputError(location_of(option),
                     "it is of requests that are drawn; a study without --trace is needed");
  }
  if (command.count("--requests") > 1) {
    throw InputError(location_of("--requests"), "a trace is looked at once; one number is needed");
  }
}

void tell_left_out(const photonic::ServingSpec& spec) {
  if (!spec.left_out.empty()) fmt::print(stderr, "{}\n", left_out_text(spec));
}

int trace(const StudyOptions& args) {
  photonic::ServingSpec spec = serving_spec(args.study);
  const std::vector<photonic::Arrival> arrivals = read_trace(args.study, spec);
  tell_left_out(spec);
  const std::vector<TraceMeans> means = run_trace(spec, arrivals);
  if (args.output.json) {
    fmt::print("{}\n", trace_json(means, spec.left_out).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(trace_table(means)) : to_text(trace_table(means)));
  }
  return kOk;
}

int study(const Command& command, const StudyOptions& args) {
  if (!args.study.trace.empty()) {
    refuse_drawing(command);
    return trace(args);
  }
  const photonic::ServingSpec spec = serving_spec(args.study);
  tell_left_out(spec);
  const ServingResult result = run_serving(spec);
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
      "study", "how soon requests are answered by light and by what it was compared with");
  command.footer(
      "Examples:\n"
      "  lightloom photonic study --load 1Mbps,60Mbps --requests 50,100,200\n"
      "  lightloom photonic study --trace requests.csv --processor Lightning,A100");
  auto args = std::make_shared<StudyOptions>();
  ServingOptions& study_options = args->study;
  command
      .add_option("--load", study_options.loads,
                  "inputs arrive as over links of these speeds; 60Mbps is the paper's")
      .delimiter(',')
      .type_name("SPEED,...");
  command
      .add_option("--requests", study_options.requests,
                  "a run ends when so many first ones are answered")
      .delimiter(',')
      .range(1, 100000)
      .type_name("N,...");
  command
      .add_option("--processor", study_options.processors,
                  "only these; the others are compared with the first")
      .delimiter(',')
      .type_name("NAME,...");
  command.add_option("--model", study_options.models, "the networks asked for, all alike often")
      .delimiter(',')
      .type_name("NAME,...");
  command.add_option("--runs", study_options.runs, "of each point, with requests of their own")
      .range(1, 10000)
      .type_name("N");
  add_seed_option(command, study_options.seed, "of the requests that are drawn");
  command.add_option("--batch", study_options.batch, "the largest of the fair GPUs")
      .range(1, 256)
      .type_name("N");
  command.add_option("--idle", study_options.idle, "part of a board's power that it draws waiting")
      .range(0.0, 1.0)
      .type_name("SHARE");
  command
      .add_option("--trace", study_options.trace,
                  "a CSV file of requests (model,arrival in ns) in place of drawn ones")
      .type_name("FILE");
  command
      .add_option("--layers", study_options.layers,
                  "a CSV file of networks (model,layer_id,vec_len,num_vvp,prereqs)")
      .type_name("FILE");
  command
      .add_option("--threads", study_options.threads,
                  "at most this many; results do not depend on it")
      .range(1, 1024)
      .type_name("N");
  command.add_option("--plot", args->plot, "write time and ratio over load as SVG")
      .type_name("FILE");
  add_output_options(command, args->output);
  command.callback([args, command, &code] { code = study(command, *args); });
}

}  // namespace loom::cli
