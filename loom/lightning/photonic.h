// Runs networks through the photonic engine, as requested on the command line.
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

// A YAML file of ours, an ONNX file, or one weight matrix per dense layer.
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
  bool search_skew = false;     // cycle-accurate speed only: searches for the link's compensation
  std::optional<photonic::CountActionProgram>
      modules;  // cycle-accurate speed only; Lightning's modules if not set
  int threads = 0;
  bool keep_layers = false;  // keeps sums and activations of every layer
};

struct PhotonicOutcome {
  std::vector<photonic::PhotonicResult> results;
  std::optional<std::string> fault;    // ends the run after the results so far
  std::int64_t check_cycles = 0;       // total over the known-answer checks of all inputs
  std::optional<std::string> warning;  // results exist, but the analog part does not work correctly
  std::optional<int> compensation;     // found by the search
};

// Needs a valid network and datapath, and either no labels or one per input.
PhotonicOutcome run_study(const PhotonicStudy& study);

std::string outcome_text(const PhotonicStudy& study, const PhotonicOutcome& outcome);
nlohmann::ordered_json outcome_json(const PhotonicStudy& study, const PhotonicOutcome& outcome);
report::Table outcome_table(const PhotonicStudy& study,
                            const PhotonicOutcome& outcome);  // one row per input

report::Table curve_table(photonic::DesignAxis axis, std::span<const photonic::DesignPoint> points);

std::string calibration_text(const photonic::CalibrationReport& report);
nlohmann::ordered_json calibration_json(const photonic::CalibrationReport& report);

// Lightning's modules with the targets of a datapath, or the modules from a file, checked.
photonic::CountActionProgram lightning_program();
photonic::CountActionProgram read_modules(const std::string& path,
                                          const photonic::PhotonicDatapath& datapath,
                                          const SourceLocation& from = {});

// Trains a network on generated digits and writes it with `images` digits that it has not seen:
// network.yaml, its weights, inputs.npy and labels.npy. Returns its accuracy on those.
struct TrainedFiles {
  std::string network;
  double accuracy = 0;
};
TrainedFiles write_trained_network(const std::string& folder, int images, int epochs,
                                   std::uint64_t seed);

}  // namespace loom::lightning
