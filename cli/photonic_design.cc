// photonic modules, verilog, curves, calibrate and train: what the engine is made of, and how good
// it is.
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

CountActionProgram modules_of(const std::string& file, const PhotonicDatapath& datapath) {
  return file.empty() ? lightning_program() : read_modules(file, datapath, place_of(file));
}

int modules(const std::string& file) {
  fmt::print("{}", to_text(modules_of(file, {})));
  return kOk;
}

struct VerilogFlags {
  PhotonicFlags given;
  std::string modules;
  std::string output;
};

int verilog(const VerilogFlags& flags) {
  const PhotonicDatapath datapath = datapath_of(flags.given);
  const std::string text = lightning_verilog(modules_of(flags.modules, datapath), datapath);
  if (flags.output.empty()) {
    fmt::print("{}", text);
  } else {
    write_file(flags.output, text);
  }
  return kOk;
}

struct CurveFlags {
  PhotonicFlags given;
  OutputFlags output;
  std::string axis;
  std::vector<double> values;
  int seeds = 10;
};

// An axis goes through values of its own.
void refuse_given(const CLI::App& command, const std::string& axis) {
  const std::map<std::string, std::vector<const char*>> set = {
      {"sigma", {"--sample_sigma"}},
      {"bits", {"--dac_bits", "--adc_bits"}},
      {"wavelengths", {"--wavelengths"}},
      {"mask", {"--no_mask"}}};
  for (const char* const option : set.at(axis)) {
    if (command.count(option) == 0) continue;
    throw InputError(place_of(option),
                     fmt::format("a curve over {} sets it; --values is needed", axis));
  }
}

int curves(const CLI::App& command, const CurveFlags& flags) {
  refuse_given(command, flags.axis);
  const DesignAxis axis = *design_axis(flags.axis);
  const PhotonicStudy study = study_of(flags.given);
  DesignSetup setup;
  setup.datapath = study.datapath;
  setup.noise = study.noise;
  // A mask makes no difference but to noise.
  if (axis == DesignAxis::mask && command.count("--sample_sigma") == 0) {
    setup.noise.sample_sigma = kPrototypeSigma;
  }
  setup.seeds = flags.seeds;
  setup.threads = study.threads;
  const std::vector<double> values = flags.values.empty() ? usual_values(axis) : flags.values;
  for (const double value : values) {
    if (const auto why = design_objection(axis, value, setup)) {
      throw InputError(place_of("--values"), *why);
    }
  }
  const std::vector<DesignPoint> points =
      design_curve(study.network, study.inputs, study.labels, axis, values, setup);
  const Table table = curve_table(axis, points);
  if (flags.output.json) {
    nlohmann::ordered_json json;
    json["network"] = study.network.name;
    json["inputs"] = study.labels.size();
    json["points"] = to_json(table);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", flags.output.csv ? to_csv(table) : to_text(table));
  }
  return kOk;
}

struct CalibrationFlags {
  ModulatorCurve curve;
  DriveRange range;
  double sigma = kPrototypeSigma;
  std::uint64_t seed = 1;
  bool json = false;
};

int calibration(const CalibrationFlags& flags) {
  const CalibrationReport report = calibrate(flags.curve, flags.range, flags.sigma, flags.seed);
  if (flags.json) {
    fmt::print("{}\n", calibration_json(report).dump(2));
  } else {
    fmt::print("{}", calibration_text(report));
  }
  return kOk;
}

struct TrainFlags {
  std::string folder;
  int images = 500;
  int epochs = 12;
  std::uint64_t seed = 1;
};

int train_network(const TrainFlags& flags) {
  check_folder(flags.folder);
  const TrainedFiles files =
      write_trained_network(flags.folder, flags.images, flags.epochs, flags.seed);
  fmt::print("{}: {:.2f} % of {} digits that it has not seen\n", files.network,
             100 * files.accuracy, flags.images);
  return kOk;
}

}  // namespace

void add_photonic_modules(CLI::App& group, int& code) {
  CLI::App& command = *group.add_subcommand(
      "modules", "Lightning's datapath as counts, targets and actions; or a file of such, checked");
  command.footer(
      "Examples:\n"
      "  lightloom photonic modules > mine.txt\n"
      "  lightloom photonic modules mine.txt\n"
      "  lightloom photonic run NETWORK --inputs FILE --engine cycles --modules mine.txt");
  auto file = std::make_shared<std::string>();
  command.add_option("FILE", *file, "modules to check and print");
  command.callback([file, &code] { code = modules(*file); });
}

void add_photonic_verilog(CLI::App& group, int& code) {
  CLI::App& command = *group.add_subcommand(
      "verilog", "the modules and the arithmetic of one dense layer as SystemVerilog");
  command.footer(
      "Examples:\n"
      "  lightloom photonic verilog --output lightning.sv\n"
      "  lightloom photonic verilog --modules mine.txt --lanes 8 > mine.sv");
  auto flags = std::make_shared<VerilogFlags>();
  command.add_option("--modules", flags->modules, "instead of Lightning's")->type_name("FILE");
  command.add_option("--output", flags->output, "instead of standard output")->type_name("FILE");
  command.add_option("--lanes", flags->given.datapath.lanes, "samples of a cycle [16]")
      ->type_name("NUMBER");
  command.add_option("--adc_bits", flags->given.datapath.adc_bits, "of a sample [8]")
      ->type_name("NUMBER");
  command.callback([flags, &code] { code = verilog(*flags); });
}

void add_photonic_curves(CLI::App& group, int& code) {
  CLI::App& command = *group.add_subcommand(
      "curves",
      "accuracy over noise, bits, wavelengths per detector, or with and without the mask");
  command.footer(
      "Over the mask samples have the prototype's noise, 1.657, unless --sample_sigma is given.\n\n"
      "Example:\n"
      "  lightloom photonic curves examples/data/digits/network.yaml --inputs "
      "examples/data/digits/inputs.npy --labels examples/data/digits/labels.npy --over sigma");
  auto flags = std::make_shared<CurveFlags>();
  add_network_options(command, flags->given);
  command.get_option("--labels")->required();
  command.add_option("--over", flags->axis, "sigma, bits, wavelengths or mask")
      ->required()
      ->check(CLI::IsMember({"sigma", "bits", "wavelengths", "mask"}))
      ->type_name("AXIS");
  command.add_option("--values", flags->values, "of the axis, such as 0,1.657,5")
      ->delimiter(',')
      ->type_name("LIST");
  command.add_option("--seeds", flags->seeds, "where there is noise [10]")
      ->check(CLI::Range(1, 1000))
      ->type_name("NUMBER");
  add_output_flags(command, flags->output);
  add_datapath_options(command, flags->given);
  add_noise_options(command, flags->given);
  command.callback([flags, &command, &code] { code = curves(command, *flags); });
}

void add_photonic_calibrate(CLI::App& group, int& code) {
  CLI::App& command = *group.add_subcommand(
      "calibrate", "sweeps a modulator, fits its curve, and says what error is left");
  command.footer("Example:\n  lightloom photonic calibrate --sample_sigma 1.657 --dac_bits 10");
  auto flags = std::make_shared<CalibrationFlags>();
  command.add_option("--sample_sigma", flags->sigma, "of the detector's noise, of 255 [1.657]")
      ->check(CLI::Range(0.0, 255.0))
      ->type_name("NUMBER");
  add_seed_option(command, flags->seed, "of the noise [1]");
  command.add_option("--dac_bits", flags->range.bits, "of the DAC before the modulator [14]")
      ->check(CLI::Range(4, 20))
      ->type_name("NUMBER");
  command.add_option("--v_pi", flags->curve.v_pi, "volts from dark to bright [4]")
      ->check(CLI::Range(1.0, 6.0))
      ->type_name("VOLTS");
  command.add_option("--bias", flags->curve.bias, "volts at which it is darkest [0.3]")
      ->check(CLI::Range(-0.9, 0.9))
      ->type_name("VOLTS");
  command.add_flag("--json", flags->json, "as JSON");
  command.callback([flags, &code] { code = calibration(*flags); });
}

void add_photonic_train(CLI::App& group, int& code) {
  CLI::App& command = *group.add_subcommand(
      "train", "trains a small network on digits of our own, and writes both");
  command.footer(
      "Example:\n  lightloom photonic train digits && lightloom photonic run "
      "digits/network.yaml --inputs digits/inputs.npy --labels digits/labels.npy");
  auto flags = std::make_shared<TrainFlags>();
  command.add_option("FOLDER", flags->folder, "where network and digits go")->required();
  command.add_option("--images", flags->images, "to write, unseen in training [500]")
      ->check(CLI::Range(1, 100'000))
      ->type_name("NUMBER");
  command.add_option("--epochs", flags->epochs, "of training [12]")
      ->check(CLI::Range(1, 1000))
      ->type_name("NUMBER");
  add_seed_option(command, flags->seed, "of digits and weights [1]");
  command.callback([flags, &code] { code = train_network(*flags); });
}

}  // namespace loom::cli
