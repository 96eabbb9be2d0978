#include "cli/photonic_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loom::cli {
namespace {

void check_sigma(double sigma, std::string_view name) {
  if (sigma >= 0 && sigma <= 255) return;
  throw InputError(location_of(fmt::format("--{} {}", name, sigma)),
                   "a value from 0 to 255 is needed");
}

// Keeps only the first `count` inputs and their labels; all if `count` is 0.
void keep_first(lightning::PhotonicStudy& study, std::int64_t count) {
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
                  "network: YAML or ONNX file, or weights of dense layers as NPY files or int16 "
                  "files FILE:OUTPUTSxINPUTS")
      .required();
  command.add_option("--inputs", args.inputs, "inputs: NPY, IDX or raw bytes")
      .required()
      .type_name("FILE");
  command.add_option("--labels", args.labels, "true labels: NPY, IDX or raw bytes")
      .type_name("FILE");
  command.add_option("--count", args.count, "number of inputs to use; all by default")
      .range(1, 1'000'000'000)
      .type_name("NUMBER");
  command.add_option("--threads", args.threads, "maximum number of threads; 0 uses all cores")
      .range(0, 1024)
      .type_name("NUMBER");
}

void add_datapath_options(Command command, PhotonicOptions& args) {
  photonic::PhotonicDatapath& datapath = args.datapath;
  const std::string group = "Datapath";
  const auto add = [&](const std::string& name, auto& value, const std::string& help) {
    command.add_option(name, value, fmt::format("{} [{}]", help, value))
        .type_name("NUMBER")
        .group(group);
  };
  add("--lanes", datapath.lanes,
      "samples that each DAC and the ADC handle per logic cycle; a power of two");
  add("--wavelengths", datapath.wavelengths, "products summed by one detector");
  add("--dac-bits", datapath.dac_bits, "bits of a modulator's DAC");
  add("--adc-bits", datapath.adc_bits, "bits per ADC sample");
  add("--adc-range", datapath.adc_range,
      "log2 of the ADC's full scale relative to the largest product; -1 clips nothing");
  add("--loss", datapath.loss_decibel, "optical loss in dB");
  add("--clock", datapath.clock_hertz, "logic clock in Hz");
  command
      .add_flag("--no-compensation", args.no_compensation, "disables compensation of optical loss")
      .group(group);
  command.add_flag("--no-mask", args.no_mask, "disables masking of products with a zero operand")
      .group(group);
}

void add_noise_options(Command command, PhotonicOptions& args) {
  const std::string group = "Noise";
  command
      .add_option("--sample-sigma", args.noise.sample_sigma,
                  "standard deviation of the noise of each ADC sample, if the ADC's full scale is "
                  "255 [0]")
      .type_name("NUMBER")
      .group(group);
  command
      .add_option("--output-sigma", args.noise.output_sigma,
                  "standard deviation of the noise of each sum, if the layer's largest sum is 255 "
                  "[0]")
      .type_name("NUMBER")
      .group(group);
  add_seed_option(command, args.noise.seed, "seed of the noise [1]").group(group);
}

// Rejects -1, which the parser would read as the largest number.
Option add_seed_option(Command command, std::uint64_t& seed, const std::string& help) {
  return command.add_option("--seed", seed, help)
      .check([](const std::string& text) {
        const bool integer = text.find_first_not_of("0123456789") == std::string::npos;
        return integer ? "" : fmt::format("{} is no seed; a non-negative integer is needed", text);
      })
      .type_name("NUMBER");
}

photonic::PhotonicDatapath datapath_of(const PhotonicOptions& args) {
  photonic::PhotonicDatapath datapath = args.datapath;
  datapath.mask_zero_operands = !args.no_mask;
  datapath.compensate_loss = !args.no_compensation;
  if (const auto why = objection(datapath)) throw InputError(location_of("command line"), *why);
  return datapath;
}

lightning::PhotonicStudy study_of(const PhotonicOptions& args) {
  check_sigma(args.noise.sample_sigma, "sample-sigma");
  check_sigma(args.noise.output_sigma, "output-sigma");
  lightning::PhotonicStudy study;
  study.datapath = datapath_of(args);
  study.noise = args.noise;
  study.threads = args.threads;
  study.network = lightning::read_network(args.network, location_of("command line"));
  study.inputs = photonic::read_photonic_inputs(args.inputs, input_size(study.network),
                                                location_of("--inputs " + args.inputs));
  if (!args.labels.empty()) {
    const auto inputs = static_cast<std::int64_t>(study.inputs.size()) / input_size(study.network);
    study.labels = photonic::read_labels(args.labels, inputs, output_size(study.network),
                                         location_of("--labels " + args.labels));
  }
  keep_first(study, args.count);
  return study;
}

}  // namespace loom::cli
