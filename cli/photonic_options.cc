#include "cli/photonic_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loom::cli {
namespace {

void check_sigma(double sigma, std::string_view name) {
  if (sigma >= 0 && sigma <= 255) return;
  throw InputError(place_of(fmt::format("--{} {}", name, sigma)), "0 to 255 are possible");
}

// The first `count` inputs and their labels.
void cut(PhotonicStudy& study, std::int64_t count) {
  if (count == 0) return;
  const auto size = static_cast<std::size_t>(input_size(study.network));
  const std::size_t kept = std::min(study.inputs.size() / size, static_cast<std::size_t>(count));
  study.inputs.resize(kept * size);
  if (!study.labels.empty()) study.labels.resize(kept);
}

}  // namespace

void add_network_options(CLI::App& command, PhotonicFlags& flags) {
  command
      .add_option("NETWORK", flags.network,
                  "YAML or ONNX file, or the weights of dense layers: NPY files, or int16 as "
                  "FILE:OUTPUTSxINPUTS")
      ->required();
  command.add_option("--inputs", flags.inputs, "NPY, IDX or raw bytes")
      ->required()
      ->type_name("FILE");
  command.add_option("--labels", flags.labels, "NPY, IDX or raw bytes")->type_name("FILE");
  command.add_option("--count", flags.count, "only so many inputs")
      ->check(CLI::Range(1, 1'000'000'000))
      ->type_name("NUMBER");
  command.add_option("--threads", flags.threads, "at most so many; 0: as many as there are")
      ->check(CLI::Range(0, 1024))
      ->type_name("NUMBER");
}

void add_datapath_options(CLI::App& command, PhotonicFlags& flags) {
  PhotonicDatapath& datapath = flags.datapath;
  const std::string group = "Datapath";
  const auto add = [&](const std::string& name, auto& value, const std::string& help) {
    command.add_option(name, value, fmt::format("{} [{}]", help, value))
        ->type_name("NUMBER")
        ->group(group);
  };
  add("--lanes", datapath.lanes, "samples of a cycle");
  add("--wavelengths", datapath.wavelengths, "products that one detector adds");
  add("--dac_bits", datapath.dac_bits, "of a modulator's levels");
  add("--adc_bits", datapath.adc_bits, "of a sample");
  add("--adc_range", datapath.adc_range,
      "a sample holds the largest product times two to this; -1: nothing is clipped");
  add("--loss", datapath.loss_decibel, "of light, in dB");
  add("--clock", datapath.clock_hertz, "of the logic, in Hz");
  command.add_flag("--no_compensation", flags.no_compensation, "do not make up for loss")
      ->group(group);
  command.add_flag("--no_mask", flags.no_mask, "products with a zero operand are not masked")
      ->group(group);
}

void add_noise_options(CLI::App& command, PhotonicFlags& flags) {
  const std::string group = "Noise";
  command.add_option("--sample_sigma", flags.noise.sample_sigma, "of each ADC sample, of 255 [0]")
      ->type_name("NUMBER")
      ->group(group);
  command
      .add_option("--output_sigma", flags.noise.output_sigma, "of each layer output, of 255 [0]")
      ->type_name("NUMBER")
      ->group(group);
  add_seed_option(command, flags.noise.seed, "of the noise [1]")->group(group);
}

// The parser takes -1 for the largest number.
CLI::Option* add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& help) {
  return command.add_option("--seed", seed, help)
      ->check([](const std::string& text) {
        const bool whole = text.find_first_not_of("0123456789") == std::string::npos;
        return whole ? "" : fmt::format("{} is no seed; a whole number from 0 is needed", text);
      })
      ->type_name("NUMBER");
}

PhotonicDatapath datapath_of(const PhotonicFlags& flags) {
  PhotonicDatapath datapath = flags.datapath;
  datapath.mask_zero_operands = !flags.no_mask;
  datapath.compensate_loss = !flags.no_compensation;
  if (const auto why = objection(datapath)) throw InputError(place_of("command line"), *why);
  return datapath;
}

PhotonicStudy study_of(const PhotonicFlags& flags) {
  check_sigma(flags.noise.sample_sigma, "sample_sigma");
  check_sigma(flags.noise.output_sigma, "output_sigma");
  PhotonicStudy study;
  study.datapath = datapath_of(flags);
  study.noise = flags.noise;
  study.threads = flags.threads;
  study.network = read_network(flags.network, place_of("command line"));
  study.inputs = read_photonic_inputs(flags.inputs, input_size(study.network),
                                      place_of("--inputs " + flags.inputs));
  if (!flags.labels.empty()) {
    const auto inputs = static_cast<std::int64_t>(study.inputs.size()) / input_size(study.network);
    study.labels = read_labels(flags.labels, inputs, output_size(study.network),
                               place_of("--labels " + flags.labels));
  }
  cut(study, flags.count);
  return study;
}

}  // namespace loom::cli
