// Networks through the photonic engine, as the command line asks for it.
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

namespace loom {

// A YAML file of ours, an ONNX file, or one weight matrix for each dense layer.
PhotonicNetwork read_network(std::span<const std::string> paths, const SourceLocation& from = {});

enum class PhotonicSpeed : std::uint8_t { functional, cycles };

struct PhotonicStudy {
  PhotonicNetwork network;
  std::vector<std::uint8_t> inputs;
  std::vector<std::int32_t> labels;  // empty: unknown
  PhotonicDatapath datapath;
  PhotonicNoise noise;
  PhotonicSpeed speed = PhotonicSpeed::functional;
  PhotonicLink link;                          // cycles
  bool search_skew = false;                   // cycles: the link's compensation is looked for
  std::optional<CountActionProgram> modules;  // cycles; Lightning's where none are given
  int threads = 0;
  bool keep_layers = false;  // sums and activations of every layer
};

struct PhotonicOutcome {
  std::vector<PhotonicResult> results;
  std::optional<std::string> fault;    // after so many results
  std::int64_t check_cycles = 0;       // of the known-answer checks of all inputs
  std::optional<std::string> warning;  // results are there, and are not what good light gives
  std::optional<int> compensation;     // that was looked for and found
};

// Needs a network and a datapath without objection, and a label for every input or none.
PhotonicOutcome run_study(const PhotonicStudy& study);

std::string outcome_text(const PhotonicStudy& study, const PhotonicOutcome& outcome);
nlohmann::ordered_json outcome_json(const PhotonicStudy& study, const PhotonicOutcome& outcome);
Table outcome_table(const PhotonicStudy& study, const PhotonicOutcome& outcome);  // by input

Table curve_table(DesignAxis axis, std::span<const DesignPoint> points);

std::string calibration_text(const CalibrationReport& report);
nlohmann::ordered_json calibration_json(const CalibrationReport& report);

// Lightning's modules and the targets of a datapath, or the modules of a file, checked.
CountActionProgram lightning_program();
CountActionProgram read_modules(const std::string& path, const PhotonicDatapath& datapath,
                                const SourceLocation& from = {});

// Trains a network on digits of our own, and writes it with `images` digits that it has not seen:
// network.yaml, its weights, inputs.npy and labels.npy. Returns its accuracy on those.
struct TrainedFiles {
  std::string network;
  double accuracy = 0;
};
TrainedFiles write_trained_network(const std::string& folder, int images, int epochs,
                                   std::uint64_t seed);

}  // namespace loom
