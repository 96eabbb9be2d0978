// photonic study: requests on Lightning and on what it was compared with.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"
#include "loom/base/files.h"
#include "loom/study/serving_options.h"
#include "loom/study/serving_tables.h"

namespace loom::cli {
namespace {

struct StudyFlags {
  ServingOptions study;
  OutputFlags output;
  std::string plot;
};

// What says how requests are drawn and runs summed up says nothing of a trace.
void refuse_drawing(const CLI::App& command) {
  for (const char* const option : {"--load", "--runs", "--seed", "--idle", "--model", "--plot"}) {
    if (command.count(option) == 0) continue;
    throw InputError(place_of(option),
                     "it is of requests that are drawn; a study without --trace is needed");
  }
  if (command.count("--requests") > 1) {
    throw InputError(place_of("--requests"), "a trace is looked at once; one number is needed");
  }
}

void tell_left_out(const photonic::ServingSpec& spec) {
  if (!spec.left_out.empty()) fmt::print(stderr, "{}\n", left_out_text(spec));
}

int trace(const StudyFlags& flags) {
  photonic::ServingSpec spec = serving_spec(flags.study);
  const std::vector<photonic::Arrival> arrivals = read_trace(flags.study, spec);
  tell_left_out(spec);
  const std::vector<TraceMeans> means = run_trace(spec, arrivals);
  if (flags.output.json) {
    fmt::print("{}\n", trace_json(means, spec.left_out).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(trace_table(means)) : to_text(trace_table(means)));
  }
  return kOk;
}

int study(const CLI::App& command, const StudyFlags& flags) {
  if (!flags.study.trace.empty()) {
    refuse_drawing(command);
    return trace(flags);
  }
  const photonic::ServingSpec spec = serving_spec(flags.study);
  tell_left_out(spec);
  const ServingResult result = run_serving(spec);
  if (!flags.plot.empty()) write_file(flags.plot, serving_svg(result));
  if (flags.output.json) {
    fmt::print("{}\n", serving_json(result).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(serving_table(result)) : serving_text(result));
  }
  return kOk;
}

}  // namespace

void add_photonic_study(CLI::App& group, int& code) {
  CLI::App& command = *group.add_subcommand(
      "study", "how soon requests are answered by light and by what it was compared with");
  command.footer(
      "Examples:\n"
      "  lightloom photonic study --load 1Mbps,60Mbps --requests 50,100,200\n"
      "  lightloom photonic study --trace requests.csv --processor Lightning,A100");
  auto flags = std::make_shared<StudyFlags>();
  ServingOptions& study_options = flags->study;
  command
      .add_option("--load", study_options.loads,
                  "inputs arrive as over links of these speeds; 60Mbps is the paper's")
      ->delimiter(',')
      ->type_name("SPEED,...");
  command
      .add_option("--requests", study_options.requests,
                  "a run ends when so many first ones are answered")
      ->delimiter(',')
      ->check(CLI::Range(1, 100000))
      ->type_name("N,...");
  command
      .add_option("--processor", study_options.processors,
                  "only these; the others are compared with the first")
      ->delimiter(',')
      ->type_name("NAME,...");
  command.add_option("--model", study_options.models, "the networks asked for, all alike often")
      ->delimiter(',')
      ->type_name("NAME,...");
  command.add_option("--runs", study_options.runs, "of each point, with requests of their own")
      ->check(CLI::Range(1, 10000))
      ->type_name("N");
  add_seed_option(command, study_options.seed, "of the requests that are drawn");
  command.add_option("--batch", study_options.batch, "the largest of the fair GPUs")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  command.add_option("--idle", study_options.idle, "part of a board's power that it draws waiting")
      ->check(CLI::Range(0.0, 1.0))
      ->type_name("SHARE");
  command
      .add_option("--trace", study_options.trace,
                  "a CSV file of requests (model,arrival in ns) in place of drawn ones")
      ->type_name("FILE");
  command
      .add_option("--layers", study_options.layers,
                  "a CSV file of networks (model,layer_id,vec_len,num_vvp,prereqs)")
      ->type_name("FILE");
  command
      .add_option("--threads", study_options.threads,
                  "at most this many; results do not depend on it")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
  command.add_option("--plot", flags->plot, "write time and ratio over load as SVG")
      ->type_name("FILE");
  add_output_flags(command, flags->output);
  command.callback([flags, &command, &code] { code = study(command, *flags); });
}

}  // namespace loom::cli
