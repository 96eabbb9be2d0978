// photonic modules, verilog, curves, calibrate and train: modules and hardware of the datapath,
// accuracy over its parameters, calibration of a modulator, and a trained network to try.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/photonic_options.h"
#include "loom/base/files.h"

namespace loom::cli {
namespace {

photonic::CountActionProgram modules_of(const std::string& file,
                                        const photonic::PhotonicDatapath& datapath) {
  return file.empty() ? lightning::lightning_program()
                      : lightning::read_modules(file, datapath, location_of(file));
}

int modules(const std::string& file) {
  fmt::print("{}", to_text(modules_of(file, {})));
  return kOk;
}

struct VerilogOptions {
  PhotonicOptions given;
  std::string modules;
  std::string output;
};

int verilog(const VerilogOptions& args) {
  const photonic::PhotonicDatapath datapath = datapath_of(args.given);
  const std::string text = lightning_verilog(modules_of(args.modules, datapath), datapath);
  if (args.output.empty()) {
    fmt::print("{}", text);
  } else {
    write_file(args.output, text);
  }
  return kOk;
}

struct CurveOptions {
  PhotonicOptions given;
  OutputOptions output;
  std::string axis;
  std::vector<double> values;
  int seeds = 10;
};

// Throws if an option is given that the curve sweeps.
void refuse_given(const Command& command, const std::string& axis) {
  const std::map<std::string, std::vector<const char*>> set = {
      {"sigma", {"--sample-sigma"}},
      {"bits", {"--dac-bits", "--adc-bits"}},
      {"wavelengths", {"--wavelengths"}},
      {"mask", {"--no-mask"}}};
  for (const char* const option : set.at(axis)) {
    if (command.count(option) == 0) continue;
    throw InputError(location_of(option),
                     fmt::format("--over {} sweeps it; --values is needed", axis));
  }
}

int curves(const Command& command, const CurveOptions& args) {
  refuse_given(command, args.axis);
  const photonic::DesignAxis axis = *photonic::design_axis(args.axis);
  const lightning::PhotonicStudy study = study_of(args.given);
  photonic::DesignSetup setup;
  setup.datapath = study.datapath;
  setup.noise = study.noise;
  // Without noise the mask makes no difference.
  if (axis == photonic::DesignAxis::mask && command.count("--sample-sigma") == 0) {
    setup.noise.sample_sigma = photonic::kPrototypeSigma;
  }
  setup.seeds = args.seeds;
  setup.threads = study.threads;
  const std::vector<double> values = args.values.empty() ? usual_values(axis) : args.values;
  for (const double value : values) {
    if (const auto why = design_objection(axis, value, setup)) {
      throw InputError(location_of("--values"), *why);
    }
  }
  const std::vector<photonic::DesignPoint> points =
      design_curve(study.network, study.inputs, study.labels, axis, values, setup);
  const report::Table table = lightning::curve_table(axis, points);
  if (args.output.json) {
    nlohmann::ordered_json json;
    json["network"] = study.network.name;
    json["inputs"] = study.labels.size();
    json["points"] = to_json(table);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", args.output.csv ? to_csv(table) : to_text(table));
  }
  return kOk;
}

struct CalibrationOptions {
  photonic::ModulatorCurve curve;
  photonic::DriveRange range;
  double sigma = photonic::kPrototypeSigma;
  std::uint64_t seed = 1;
  bool json = false;
};

int calibration(const CalibrationOptions& args) {
  const photonic::CalibrationReport report =
      calibrate(args.curve, args.range, args.sigma, args.seed);
  if (args.json) {
    fmt::print("{}\n", lightning::calibration_json(report).dump(2));
  } else {
    fmt::print("{}", lightning::calibration_text(report));
  }
  return kOk;
}

struct TrainOptions {
  std::string folder;
  int images = 500;
  int epochs = 12;
  std::uint64_t seed = 1;
};

int train_network(const TrainOptions& args) {
  check_folder(args.folder);
  const lightning::TrainedFiles files =
      lightning::write_trained_network(args.folder, args.images, args.epochs, args.seed);
  fmt::print("{}: {:.2f} % of {} unseen digits\n", files.network, 100 * files.accuracy,
             args.images);
  return kOk;
}

}  // namespace

void add_photonic_modules(Command group, int& code) {
  Command command = group.add_subcommand(
      "modules", "Lightning's datapath as count-action modules, or a checked file of such modules");
  command.footer(
      "Examples:\n"
      "  lightloom photonic modules > mine.txt\n"
      "  lightloom photonic modules mine.txt\n"
      "  lightloom photonic run NETWORK --inputs FILE --engine cycles --modules mine.txt");
  auto file = std::make_shared<std::string>();
  command.add_option("FILE", *file, "file of modules to check and print");
  command.callback([file, &code] { code = modules(*file); });
}

void add_photonic_verilog(Command group, int& code) {
  Command command = group.add_subcommand(
      "verilog", "SystemVerilog of the modules and the arithmetic of one dense layer");
  command.footer(
      "Examples:\n"
      "  lightloom photonic verilog --output lightning.sv\n"
      "  lightloom photonic verilog --modules mine.txt --lanes 8 > mine.sv");
  auto args = std::make_shared<VerilogOptions>();
  command.add_option("--modules", args->modules, "count-action modules instead of Lightning's")
      .type_name("FILE");
  command.add_option("--output", args->output, "file to write instead of standard output")
      .type_name("FILE");
  command
      .add_option("--lanes", args->given.datapath.lanes,
                  "samples that each DAC and the ADC handle per logic cycle; a power of two [16]")
      .type_name("NUMBER");
  command.add_option("--adc-bits", args->given.datapath.adc_bits, "bits per ADC sample [8]")
      .type_name("NUMBER");
  command.callback([args, &code] { code = verilog(*args); });
}

void add_photonic_curves(Command group, int& code) {
  Command command = group.add_subcommand(
      "curves",
      "accuracy over noise, bits or wavelengths per detector, or with and without the mask");
  command.footer(
      "With --over mask, samples have the prototype's noise, 1.657, unless --sample-sigma is "
      "given.\n\n"
      "Example:\n"
      "  lightloom photonic curves examples/data/digits/network.yaml --inputs "
      "examples/data/digits/inputs.npy --labels examples/data/digits/labels.npy --over sigma");
  auto args = std::make_shared<CurveOptions>();
  add_network_options(command, args->given);
  command.get_option("--labels").required();
  command.add_option("--over", args->axis, "swept parameter: sigma, bits, wavelengths or mask")
      .required()
      .one_of({"sigma", "bits", "wavelengths", "mask"})
      .type_name("AXIS");
  command.add_option("--values", args->values, "values of the swept parameter, such as 0,1.657,5")
      .delimiter(',')
      .type_name("LIST");
  command.add_option("--seeds", args->seeds, "number of seeds, if there is noise [10]")
      .range(1, 1000)
      .type_name("NUMBER");
  add_output_options(command, args->output);
  add_datapath_options(command, args->given);
  add_noise_options(command, args->given);
  command.callback([args, command, &code] { code = curves(command, *args); });
}

void add_photonic_calibrate(Command group, int& code) {
  Command command = group.add_subcommand(
      "calibrate", "transmission curve fitted to a sweep of a modulator, and the remaining error");
  command.footer("Example:\n  lightloom photonic calibrate --sample-sigma 1.657 --dac-bits 10");
  auto args = std::make_shared<CalibrationOptions>();
  command
      .add_option("--sample-sigma", args->sigma,
                  "sigma of the detector's noise, on a scale of 255 [1.657]")
      .range(0.0, 255.0)
      .type_name("NUMBER");
  add_seed_option(command, args->seed, "seed of the noise [1]");
  command.add_option("--dac-bits", args->range.bits, "bits of the modulator's DAC [14]")
      .range(4, 20)
      .type_name("NUMBER");
  command
      .add_option("--v-pi", args->curve.v_pi,
                  "true V-pi of the simulated modulator: voltage between minimum and maximum "
                  "transmission [4]")
      .range(1.0, 6.0)
      .type_name("VOLTS");
  command
      .add_option("--bias", args->curve.bias,
                  "true bias of the simulated modulator: voltage of minimum transmission [0.3]")
      .range(-0.9, 0.9)
      .type_name("VOLTS");
  command.add_flag("--json", args->json, "JSON output");
  command.callback([args, &code] { code = calibration(*args); });
}

void add_photonic_train(Command group, int& code) {
  Command command = group.add_subcommand(
      "train", "small network trained on generated digits; writes the network and the digits");
  command.footer(
      "Example:\n  lightloom photonic train digits && lightloom photonic run "
      "digits/network.yaml --inputs digits/inputs.npy --labels digits/labels.npy");
  auto args = std::make_shared<TrainOptions>();
  command.add_option("FOLDER", args->folder, "folder to write the network and the digits to")
      .required();
  command.add_option("--images", args->images, "number of test images of digits to write [500]")
      .range(1, 100'000)
      .type_name("NUMBER");
  command.add_option("--epochs", args->epochs, "training epochs [12]")
      .range(1, 1000)
      .type_name("NUMBER");
  add_seed_option(command, args->seed,
                  "seed of the generated digit images and of the training [1]");
  command.callback([args, &code] { code = train_network(*args); });
}

}  // namespace loom::cli
