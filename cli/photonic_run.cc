// photonic run: inputs through a network, by the functional path or cycle by cycle.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"

namespace loom::cli {
namespace {

struct PhotonicRunFlags {
  PhotonicFlags given;
  OutputFlags output;
  std::string engine = "functional";
  PhotonicLink link;
  bool find_compensation = false;
  std::string modules;
  bool layers = false;
};

PhotonicStudy whole_study(const PhotonicRunFlags& flags) {
  PhotonicStudy study = study_of(flags.given);
  const bool cycles = flags.engine == "cycles";
  study.speed = cycles ? PhotonicSpeed::cycles : PhotonicSpeed::functional;
  study.link = flags.link;
  study.search_skew = flags.find_compensation;
  study.keep_layers = flags.layers;
  const bool linked = !(flags.link == PhotonicLink{}) || flags.find_compensation;
  if (!cycles && (linked || !flags.modules.empty())) {
    throw InputError(place_of("command line"),
                     "--offset, --skew, --compensation, --find_compensation and --modules are of "
                     "--engine cycles");
  }
  if (flags.link.offset < 0 || flags.link.offset >= study.datapath.lanes) {
    throw InputError(place_of(fmt::format("--offset {}", flags.link.offset)),
                     fmt::format("0 to {} are possible", study.datapath.lanes - 1));
  }
  if (!flags.modules.empty()) {
    study.modules =
        read_modules(flags.modules, study.datapath, place_of("--modules " + flags.modules));
  }
  return study;
}

int run_photonic(const PhotonicRunFlags& flags) {
  const PhotonicStudy study = whole_study(flags);
  const PhotonicOutcome outcome = run_study(study);
  if (outcome.fault) {
    fmt::print(stderr, "input {}: {}\n", outcome.results.size(), *outcome.fault);
    return kInfeasible;
  }
  if (outcome.warning) fmt::print(stderr, "warning: {}\n", *outcome.warning);
  if (flags.output.json) {
    fmt::print("{}\n", outcome_json(study, outcome).dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(outcome_table(study, outcome))
                                      : outcome_text(study, outcome));
  }
  return kOk;
}

}  // namespace

void add_photonic_run(CLI::App& group, int& code) {
  CLI::App& command = *group.add_subcommand(
      "run", "inputs through a network: labels, accuracy and cycles, to the bit");
  command.footer(
      "Examples:\n"
      "  lightloom photonic run examples/data/digits/network.yaml --inputs "
      "examples/data/digits/inputs.npy --labels examples/data/digits/labels.npy\n"
      "  lightloom photonic run fc1.npy fc2.npy fc3.npy --inputs t10k-images-idx3-ubyte --labels "
      "t10k-labels-idx1-ubyte --sample_sigma 1.657");
  auto flags = std::make_shared<PhotonicRunFlags>();
  add_network_options(command, flags->given);
  command
      .add_option("--engine", flags->engine,
                  "functional, or cycles: module by module, cycle by cycle [functional]")
      ->check(CLI::IsMember({"functional", "cycles"}))
      ->type_name("NAME");
  add_output_flags(command, flags->output);
  command
      .add_flag("--layers", flags->layers, "with --json: sums and activations of every layer too")
      ->needs("--json");
  add_datapath_options(command, flags->given);
  add_noise_options(command, flags->given);
  const auto add = [&](const std::string& name, int& value, const std::string& help) {
    command.add_option(name, value, help + " [0]")
        ->check(CLI::Range(-100'000, 100'000))
        ->type_name("SAMPLES")
        ->group("Link, with --engine cycles");
  };
  add("--offset", flags->link.offset, "by which the ADC's cycles begin late");
  add("--skew", flags->link.skew, "by which the weights' modulator lags");
  add("--compensation", flags->link.compensation, "of the skew, by the delay lines");
  auto* modules =
      command
          .add_option("--modules", flags->modules, "count-action modules other than Lightning's")
          ->type_name("FILE")
          ->group("Link, with --engine cycles");
  command
      .add_flag("--find_compensation", flags->find_compensation,
                "look for it: known operands at every skew of up to 50 cycles")
      ->excludes("--compensation")
      ->excludes(modules)
      ->group("Link, with --engine cycles");
  command.callback([flags, &code] { code = run_photonic(*flags); });
}

}  // namespace loom::cli
