// photonic run: runs inputs through a network, in the functional engine or cycle by cycle.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"

namespace loom::cli {
namespace {

struct PhotonicRunCommandOptions {
  PhotonicOptions given;
  OutputOptions output;
  std::string engine = "functional";
  photonic::PhotonicLink link;
  bool find_compensation = false;
  std::string modules;
  bool layers = false;
};

lightning::PhotonicStudy whole_study(const PhotonicRunCommandOptions& args) {
  lightning::PhotonicStudy study = study_of(args.given);
  const bool cycles = args.engine == "cycles";
  study.speed = cycles ? lightning::PhotonicSpeed::cycles : lightning::PhotonicSpeed::functional;
  study.link = args.link;
  study.search_skew = args.find_compensation;
  study.keep_layers = args.layers;
  const bool linked = !(args.link == photonic::PhotonicLink{}) || args.find_compensation;
  if (!cycles && (linked || !args.modules.empty())) {
    throw InputError(location_of("command line"),
                     "--offset, --skew, --compensation, --find-compensation and --modules need "
                     "--engine cycles");
  }
  if (args.link.offset < 0 || args.link.offset >= study.datapath.lanes) {
    throw InputError(location_of(fmt::format("--offset {}", args.link.offset)),
                     fmt::format("a value from 0 to {} is needed", study.datapath.lanes - 1));
  }
  if (!args.modules.empty()) {
    study.modules = lightning::read_modules(args.modules, study.datapath,
                                            location_of("--modules " + args.modules));
  }
  return study;
}

int run_photonic(const PhotonicRunCommandOptions& args) {
  const lightning::PhotonicStudy study = whole_study(args);
  const lightning::PhotonicOutcome outcome = run_study(study);
  if (outcome.fault) {
    fmt::print(stderr, "input {}: {}\n", outcome.results.size(), *outcome.fault);
    return kInfeasible;
  }
  if (outcome.warning) fmt::print(stderr, "warning: {}\n", *outcome.warning);
  if (args.output.json) {
    fmt::print("{}\n", outcome_json(study, outcome).dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(outcome_table(study, outcome))
                                     : outcome_text(study, outcome));
  }
  return kOk;
}

}  // namespace

void add_photonic_run(Command group, int& code) {
  Command command =
      group.add_subcommand("run", "bit-exact inference: labels of the inputs, accuracy and cycles");
  command.footer(
      "Examples:\n"
      "  lightloom photonic run examples/data/digits/network.yaml --inputs "
      "examples/data/digits/inputs.npy --labels examples/data/digits/labels.npy\n"
      "  lightloom photonic run fc1.npy fc2.npy fc3.npy --inputs t10k-images-idx3-ubyte --labels "
      "t10k-labels-idx1-ubyte --sample-sigma 1.657");
  auto args = std::make_shared<PhotonicRunCommandOptions>();
  add_network_options(command, args->given);
  command
      .add_option("--engine", args->engine,
                  "engine: functional, or cycles (cycle-accurate, by module) [functional]")
      .one_of({"functional", "cycles"})
      .type_name("NAME");
  add_output_options(command, args->output);
  command
      .add_flag("--layers", args->layers, "sums and activations of every layer in the JSON output")
      .needs("--json");
  add_datapath_options(command, args->given);
  add_noise_options(command, args->given);
  const auto add = [&](const std::string& name, int& value, const std::string& help) {
    command.add_option(name, value, help + " [0]")
        .range(-100'000, 100'000)
        .type_name("SAMPLES")
        .group("Link, with --engine cycles");
  };
  add("--offset", args->link.offset, "delay of the ADC's cycles relative to the DAC's");
  add("--skew", args->link.skew, "lag of the weight modulator behind the input modulator");
  add("--compensation", args->link.compensation, "compensation of the skew by delay lines");
  const Option modules = command
                             .add_option("--modules", args->modules,
                                         "count-action modules to use instead of Lightning's")
                             .type_name("FILE")
                             .group("Link, with --engine cycles");
  command
      .add_flag("--find-compensation", args->find_compensation,
                "search for the compensation with known operands, up to 50 cycles")
      .excludes("--compensation")
      .excludes(modules)
      .group("Link, with --engine cycles");
  command.callback([args, &code] { code = run_photonic(*args); });
}

}  // namespace loom::cli
