// Runs the photonic engine on networks and inputs from files, and reports the results.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "loom/photonic/datapath/curves.h"
#include "loom/photonic/datapath/engine.h"
#include "loom/photonic/datapath/modulator.h"
#include "loom/photonic/network/network_files.h"
#include "loom/photonic/verilog/verilog.h"
#include "loom/report/table.h"

namespace loom::lightning {

// Reads a network from a YAML file (network_files.h), an ONNX file, or one file of weights per
// dense layer.
photonic::PhotonicNetwork read_network(std::span<const std::string> paths,
                                       const SourceLocation& from = {});

enum class PhotonicSpeed : std::uint8_t { functional, cycles };

struct PhotonicStudy {
  photonic::PhotonicNetwork network;
  std::vector<std::uint8_t> inputs;
  std::vector<std::int32_t> labels;  // empty if unknown
  photonic::PhotonicDatapath datapath;
  photonic::PhotonicNoise noise;
  PhotonicSpeed speed = PhotonicSpeed::functional;
  photonic::PhotonicLink link;  // cycle-accurate speed only
  bool search_skew = false;     // cycle-accurate speed only: searches for link.compensation
  // Cycle-accurate speed only; Lightning's modules if not set.
  std::optional<photonic::CountActionProgram> modules;
  int threads = 0;
  bool keep_layers = false;  // keeps sums and activations of every layer
};

struct PhotonicOutcome {
  std::vector<photonic::PhotonicResult> results;
  std::optional<std::string> fault;    // fault that ended the run after the inputs in `results`
  std::int64_t check_cycles = 0;       // total over the known-answer checks of all inputs
  std::optional<std::string> warning;  // clipped samples or a fault of the optical path
  std::optional<int> compensation;     // compensation that search_skew found
};

// Needs a valid network and datapath, and either no labels or one per input.
PhotonicOutcome run_study(const PhotonicStudy& study);

std::string outcome_text(const PhotonicStudy& study, const PhotonicOutcome& outcome);
nlohmann::ordered_json outcome_json(const PhotonicStudy& study, const PhotonicOutcome& outcome);
// One row per input.
report::Table outcome_table(const PhotonicStudy& study, const PhotonicOutcome& outcome);

report::Table curve_table(photonic::DesignAxis axis, std::span<const photonic::DesignPoint> points);

std::string calibration_text(const photonic::CalibrationReport& report);
nlohmann::ordered_json calibration_json(const photonic::CalibrationReport& report);

// Lightning's modules, and modules read from a file. Throws InputError if the modules in the file
// do not work with the datapath.
photonic::CountActionProgram lightning_program();
photonic::CountActionProgram read_modules(const std::string& path,
                                          const photonic::PhotonicDatapath& datapath,
                                          const SourceLocation& from = {});

// Trains a network on generated digits, and writes it with `images` other digits into a folder:
// network.yaml, the weights, inputs.npy and labels.npy. Returns the accuracy on these other digits.
struct TrainedFiles {
  std::string network;
  double accuracy = 0;
};
TrainedFiles write_trained_network(const std::string& folder, int images, int epochs,
                                   std::uint64_t seed);

}  // namespace loom::lightning
