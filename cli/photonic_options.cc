#include "cli/photonic_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loom::cli {
namespace {

void check_sigma(double sigma, std::string_view name) {
  if (sigma >= 0 && sigma <= 255) return;
  throw InputError(location_of(fmt::format("--{} {}", name, sigma)), "0 to 255 are possible");
}

// The first `count` inputs and their labels.
void keep_first(PhotonicStudy& study, std::int64_t count) {
  if (count == 0) return;
  const auto size = static_cast<std::size_t>(input_size(study.network));
  const std::size_t kept = std::min(study.inputs.size() / size, static_cast<std::size_t>(count));
  study.inputs.resize(kept * size);
  if (!study.labels.empty()) study.labels.resize(kept);
}

}  // namespace

void add_network_options(Command command, PhotonicOptions& args) {
  command
      .add_option("NETWORK", args.network,
                  "YAML or ONNX file, or the weights of dense layers: NPY files, or int16 as "
                  "FILE:OUTPUTSxINPUTS")
      .required();
  command.add_option("--inputs", args.inputs, "NPY, IDX or raw bytes").required().type_name("FILE");
  command.add_option("--labels", args.labels, "NPY, IDX or raw bytes").type_name("FILE");
  command.add_option("--count", args.count, "only so many inputs")
      .range(1, 1'000'000'000)
      .type_name("NUMBER");
  command.add_option("--threads", args.threads, "at most so many; 0: as many as there are")
      .range(0, 1024)
      .type_name("NUMBER");
}

void add_datapath_options(Command command, PhotonicOptions& args) {
  PhotonicDatapath& datapath = args.datapath;
  const std::string group = "Datapath";
  const auto add = [&](const std::string& name, auto& value, const std::string& help) {
    command.add_option(name, value, fmt::format("{} [{}]", help, value))
        .type_name("NUMBER")
        .group(group);
  };
  add("--lanes", datapath.lanes, "samples of a cycle");
  add("--wavelengths", datapath.wavelengths, "products that one detector adds");
  add("--dac-bits", datapath.dac_bits, "of a modulator's levels");
  add("--adc-bits", datapath.adc_bits, "of a sample");
  add("--adc-range", datapath.adc_range,
      "a sample holds the largest product times two to this; -1: nothing is clipped");
  add("--loss", datapath.loss_decibel, "of light, in dB");
  add("--clock", datapath.clock_hertz, "of the logic, in Hz");
  command.add_flag("--no-compensation", args.no_compensation, "do not make up for loss")
      .group(group);
  command.add_flag("--no-mask", args.no_mask, "products with a zero operand are not masked")
      .group(group);
}

void add_noise_options(Command command, PhotonicOptions& args) {
  const std::string group = "Noise";
  command.add_option("--sample-sigma", args.noise.sample_sigma, "of each ADC sample, of 255 [0]")
      .type_name("NUMBER")
      .group(group);
  command.add_option("--output-sigma", args.noise.output_sigma, "of each layer output, of 255 [0]")
      .type_name("NUMBER")
      .group(group);
  add_seed_option(command, args.noise.seed, "of the noise [1]").group(group);
}

// The parser takes -1 for the largest number.
Option add_seed_option(Command command, std::uint64_t& seed, const std::string& help) {
  return command.add_option("--seed", seed, help)
      .check([](const std::string& text) {
        const bool integer = text.find_first_not_of("0123456789") == std::string::npos;
        return integer ? "" : fmt::format("{} is no seed; a whole number from 0 is needed", text);
      })
      .type_name("NUMBER");
}

PhotonicDatapath datapath_of(const PhotonicOptions& args) {
  PhotonicDatapath datapath = args.datapath;
  datapath.mask_zero_operands = !args.no_mask;
  datapath.compensate_loss = !args.no_compensation;
  if (const auto why = objection(datapath)) throw InputError(location_of("command line"), *why);
  return datapath;
}

PhotonicStudy study_of(const PhotonicOptions& args) {
  check_sigma(args.noise.sample_sigma, "sample-sigma");
  check_sigma(args.noise.output_sigma, "output-sigma");
  PhotonicStudy study;
  study.datapath = datapath_of(args);
  study.noise = args.noise;
  study.threads = args.threads;
  study.network = read_network(args.network, location_of("command line"));
  study.inputs = read_photonic_inputs(args.inputs, input_size(study.network),
                                      location_of("--inputs " + args.inputs));
  if (!args.labels.empty()) {
    const auto inputs = static_cast<std::int64_t>(study.inputs.size()) / input_size(study.network);
    study.labels = read_labels(args.labels, inputs, output_size(study.network),
                               location_of("--labels " + args.labels));
  }
  keep_first(study, args.count);
  return study;
}

}  // namespace loom::cli
