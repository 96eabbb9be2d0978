#include "loom/lightning/photonic.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "loom/base/files.h"
#include "loom/lightning/photonic_onnx.h"
#include "loom/photonic/datapath/lightning_modules.h"
#include "loom/photonic/network/npy.h"
#include "loom/photonic/network/trainer.h"

namespace loom::lightning {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kTrainingImages = 6000;

std::int64_t right_labels(const PhotonicStudy& study, const PhotonicOutcome& outcome) {
  std::int64_t right = 0;
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    right += outcome.results[i].label == study.labels[i] ? 1 : 0;
  }
  return right;
}

struct Totals {
  std::int64_t overflows = 0;
  std::int64_t clipped = 0;
};

Totals totals_of(const PhotonicOutcome& outcome) {
  Totals totals;
  for (const photonic::PhotonicResult& result : outcome.results) {
    totals.overflows += result.overflows;
    totals.clipped += result.clipped;
  }
  return totals;
}

double accuracy_of(const PhotonicStudy& study, const PhotonicOutcome& outcome) {
  return static_cast<double>(right_labels(study, outcome)) /
         static_cast<double>(outcome.results.size());
}

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

// Rounds to six decimals, to which all machines agree; never gives -0.
double rounded(double logarithm) { return std::rint(logarithm * 1e6) / 1e6 + 0.0; }

// Range of the search for the skew of the modulators: cycles in either direction.
constexpr int kMaxSkew = 50;

PhotonicOutcome run_cycles(const PhotonicStudy& study) {
  PhotonicOutcome outcome;
  photonic::PhotonicLink link = study.link;
  if (study.search_skew) {
    outcome.compensation = find_compensation(study.datapath, link, kMaxSkew);
    if (!outcome.compensation) {
      outcome.fault =
          fmt::format("no compensation within {} cycles gives correct results", kMaxSkew);
      return outcome;
    }
    link.compensation = *outcome.compensation;
  }
  photonic::PhotonicEngine engine(study.datapath, link,
                                  study.modules ? *study.modules : lightning_program());
  engine.load(study.network);
  const auto size = static_cast<std::size_t>(input_size(study.network));
  for (std::size_t i = 0; i * size < study.inputs.size() && !outcome.fault; ++i) {
    photonic::EngineOutcome one = engine.run(std::span(study.inputs).subspan(i * size, size),
                                             {study.noise, i, study.keep_layers});
    outcome.check_cycles += one.check_cycles;
    outcome.fault = std::move(one.fault);
    if (!outcome.fault) outcome.results.push_back(std::move(one.result));
  }
  return outcome;
}

PhotonicOutcome run_functional(const PhotonicStudy& study) {
  const photonic::PhotonicProgram program(study.network, study.datapath);
  return {
      run_all(program, study.inputs, study.noise, study.threads, study.keep_layers), {}, 0, {}, {}};
}

// The warning about a run, if any. With noise, some clipped samples are normal.
std::optional<std::string> warning_of(const PhotonicStudy& study, const PhotonicOutcome& outcome) {
  const std::int64_t clipped = totals_of(outcome).clipped;
  if (clipped > 0 && study.noise.sample_sigma == 0) {
    return fmt::format("{} samples exceeded the ADC's range and were clipped", clipped);
  }
  return outcome.fault ? std::nullopt : light_fault(study.datapath);
}

// The sums of every layer before ReLU, and the activations that it gives to the next layer.
Json layers_json(const photonic::PhotonicNetwork& network, const photonic::PhotonicResult& result) {
  Json layers = Json::array();
  for (std::size_t i = 0; i < result.layers.size(); ++i) {
    Json layer = {{"name", network.layers[i].name}, {"sums", result.layers[i].sums}};
    if (i + 1 < result.layers.size()) layer["activations"] = result.layers[i].activations;
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::string bytes_of(const std::vector<std::uint8_t>& values) {
  return {values.begin(), values.end()};
}

}  // namespace

photonic::PhotonicNetwork read_network(std::span<const std::string> paths,
                                       const SourceLocation& from) {
  if (paths.size() == 1 && (paths[0].ends_with(".yaml") || paths[0].ends_with(".yml"))) {
    return photonic::read_photonic_network(paths[0], from);
  }
  if (paths.size() == 1 && paths[0].ends_with(".onnx")) {
    return photonic_network(foreign::read_onnx(paths[0], from));
  }
  return photonic::read_dense_network(paths, from);
}

PhotonicOutcome run_study(const PhotonicStudy& study) {
  PhotonicOutcome outcome =
      study.speed == PhotonicSpeed::cycles ? run_cycles(study) : run_functional(study);
  outcome.warning = warning_of(study, outcome);
  return outcome;
}
std::string outcome_text(const PhotonicStudy& study, const PhotonicOutcome& outcome) {
  const auto inputs = static_cast<std::int64_t>(outcome.results.size());
  std::vector<std::pair<std::string, report::Cell>> facts;
  facts.emplace_back("network", study.network.name);
  facts.emplace_back("layers", static_cast<std::int64_t>(study.network.layers.size()));
  facts.emplace_back("multiplications", multiplications(study.network));
  facts.emplace_back("inputs", inputs);
  if (!study.labels.empty() && inputs > 0) {
    facts.emplace_back("right labels", right_labels(study, outcome));
    facts.emplace_back("accuracy", percent(accuracy_of(study, outcome)));
  }
  const std::int64_t cycles = network_cycles(study.network, study.datapath);
  facts.emplace_back("cycles for each input", inputs > 0 ? outcome.results.front().cycles : cycles);
  facts.emplace_back("time for each input", cycles_time(cycles, study.datapath));
  const Totals totals = totals_of(outcome);
  facts.emplace_back("sums beyond 16 bits", totals.overflows);
  facts.emplace_back("clipped samples", totals.clipped);
  if (outcome.compensation) {
    facts.emplace_back("compensation of the skew", std::int64_t{*outcome.compensation});
  }
  if (study.speed == PhotonicSpeed::cycles) {
    facts.emplace_back("cycles of known-answer checks", outcome.check_cycles);
  }
  return report::to_text(facts);
}

Json outcome_json(const PhotonicStudy& study, const PhotonicOutcome& outcome) {
  Json json;
  json["network"] = study.network.name;
  json["multiplications"] = multiplications(study.network);
  json["inputs"] = outcome.results.size();
  if (!study.labels.empty() && !outcome.results.empty()) {
    json["right_labels"] = right_labels(study, outcome);
    json["accuracy"] = accuracy_of(study, outcome);
  }
  const std::int64_t cycles = outcome.results.empty()
                                  ? network_cycles(study.network, study.datapath)
                                  : outcome.results.front().cycles;
  json["cycles"] = cycles;
  json["time"] = cycles_time(cycles, study.datapath).count();
  const Totals totals = totals_of(outcome);
  json["overflows"] = totals.overflows;
  json["clipped"] = totals.clipped;
  if (outcome.warning) json["warning"] = *outcome.warning;
  if (study.speed == PhotonicSpeed::cycles) json["check_cycles"] = outcome.check_cycles;
  if (outcome.compensation) json["compensation"] = *outcome.compensation;
  Json labels = Json::array();
  Json logits = Json::array();
  Json log_probabilities = Json::array();
  Json layers = Json::array();
  for (const photonic::PhotonicResult& result : outcome.results) {
    labels.push_back(result.label);
    logits.push_back(result.logits);
    log_probabilities.push_back(Json::array());
    for (const double it : result.log_probabilities)
      log_probabilities.back().push_back(rounded(it));
    if (study.keep_layers) layers.push_back(layers_json(study.network, result));
  }
  json["labels"] = std::move(labels);
  json["logits"] = std::move(logits);
  json["log_probabilities"] = std::move(log_probabilities);
  if (study.keep_layers) json["layers"] = std::move(layers);
  return json;
}

report::Table outcome_table(const PhotonicStudy& study, const PhotonicOutcome& outcome) {
  report::Table table;
  table.columns = {"input",  "label",     "expected", "log_probability",
                   "cycles", "overflows", "clipped"};
  for (std::size_t i = 0; i < outcome.results.size(); ++i) {
    const photonic::PhotonicResult& result = outcome.results[i];
    const report::Cell expected =
        study.labels.empty() ? report::Cell() : report::Cell(std::int64_t{study.labels[i]});
    const double logarithm = result.log_probabilities[static_cast<std::size_t>(result.label)];
    table.rows.push_back({static_cast<std::int64_t>(i), std::int64_t{result.label}, expected,
                          rounded(logarithm), result.cycles, result.overflows, result.clipped});
  }
  return table;
}

report::Table curve_table(photonic::DesignAxis axis,
                          std::span<const photonic::DesignPoint> points) {
  report::Table table;
  table.columns = {std::string(name_of(axis)),
                   "accuracy",
                   "min_accuracy",
                   "max_accuracy",
                   "agreement",
                   "cycles",
                   "clipped"};
  for (const photonic::DesignPoint& point : points) {
    table.rows.push_back({point.value, point.accuracy, point.min_accuracy, point.max_accuracy,
                          point.agreement, point.cycles, point.clipped});
  }
  return table;
}

std::string calibration_text(const photonic::CalibrationReport& report) {
  const photonic::ModulatorCurve& fitted = report.fitted;
  return report::to_text(std::vector<std::pair<std::string, report::Cell>>{
      {"fitted v_pi", fmt::format("{:.4f} V", fitted.v_pi)},
      {"fitted bias", fmt::format("{:.4f} V", fitted.bias)},
      {"darkest", fmt::format("{:.5f}", fitted.lowest)},
      {"brightest", fmt::format("{:.5f}", fitted.highest)},
      {"error of a magnitude", fmt::format("{:.3f} of 255 (rms)", report.rms_error)},
      {"largest", fmt::format("{:.3f} of 255", report.largest_error)},
      {"sigma of a product", fmt::format("{:.3f} of 255", report.product_sigma)},
      {"accuracy of a product", percent(report.product_accuracy)},
  });
}

Json calibration_json(const photonic::CalibrationReport& report) {
  Json json;
  json["fitted"] = {{"v_pi", report.fitted.v_pi},
                    {"bias", report.fitted.bias},
                    {"lowest", report.fitted.lowest},
                    {"highest", report.fitted.highest}};
  json["rms_error"] = report.rms_error;
  json["largest_error"] = report.largest_error;
  json["product_sigma"] = report.product_sigma;
  json["product_accuracy"] = report.product_accuracy;
  return json;
}

photonic::CountActionProgram lightning_program() {
  return photonic::parse_modules(photonic::lightning_modules_text(), "lightning modules");
}

photonic::CountActionProgram read_modules(const std::string& path,
                                          const photonic::PhotonicDatapath& datapath,
                                          const SourceLocation& from) {
  photonic::CountActionProgram program = photonic::parse_modules(read_file(path, from), path);
  const photonic::PhotonicEngine engine(datapath, {},
                                        program);  // throws if the modules cannot work
  return program;
}

TrainedFiles write_trained_network(const std::string& folder, int images, int epochs,
                                   std::uint64_t seed) {
  photonic::TrainingPlan plan;
  plan.epochs = epochs;
  plan.seed = seed;
  PhotonicStudy study;
  study.network =
      photonic::quantize("digits", train(photonic::make_digits(kTrainingImages, seed), plan));
  const photonic::LabeledInputs unseen = photonic::make_digits(images, seed + 1);
  study.inputs = unseen.inputs;
  study.labels = unseen.labels;
  TrainedFiles files;
  files.network = write_photonic_network(study.network, folder);
  files.accuracy = accuracy_of(study, run_study(study));
  const std::vector<std::uint8_t> labels(unseen.labels.begin(), unseen.labels.end());
  write_file(
      folder + "/inputs.npy",
      photonic::to_npy({"|u1", {images, unseen.side, unseen.side}, bytes_of(unseen.inputs)}));
  write_file(folder + "/labels.npy", photonic::to_npy({"|u1", {images}, bytes_of(labels)}));
  return files;
}

}  // namespace loom::lightning
