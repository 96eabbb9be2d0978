// Options shared by the `photonic` commands that run networks: network, inputs, datapath and noise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"
#include "loom/lightning/photonic.h"

namespace loom::cli {

struct PhotonicOptions {
  std::vector<std::string> network;
  std::string inputs;
  std::string labels;
  std::int64_t count = 0;  // 0 uses all
  photonic::PhotonicDatapath datapath;
  bool no_mask = false;
  bool no_compensation = false;
  photonic::PhotonicNoise noise;
  int threads = 0;
};

void add_network_options(Command command, PhotonicOptions& args);
void add_datapath_options(Command command, PhotonicOptions& args);
void add_noise_options(Command command, PhotonicOptions& args);

// --seed: a non-negative integer.
Option add_seed_option(Command command, std::uint64_t& seed, const std::string& help);

// Throws InputError if the datapath is invalid.
photonic::PhotonicDatapath datapath_of(const PhotonicOptions& args);

// Reads the files; labels are optional.
lightning::PhotonicStudy study_of(const PhotonicOptions& args);

}  // namespace loom::cli
