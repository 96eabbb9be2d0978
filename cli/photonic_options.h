// What commands of `photonic` that compute have in common: a network, inputs, a datapath, noise.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "loom/study/photonic.h"

namespace loom::cli {

struct PhotonicFlags {
  std::vector<std::string> network;
  std::string inputs;
  std::string labels;
  std::int64_t count = 0;  // 0: all
  PhotonicDatapath datapath;
  bool no_mask = false;
  bool no_compensation = false;
  PhotonicNoise noise;
  int threads = 0;
};

void add_network_options(CLI::App& command, PhotonicFlags& flags);
void add_datapath_options(CLI::App& command, PhotonicFlags& flags);
void add_noise_options(CLI::App& command, PhotonicFlags& flags);

// --seed: a whole number that is not negative.
CLI::Option* add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& help);

// InputError where there is no such datapath.
PhotonicDatapath datapath_of(const PhotonicFlags& flags);

// Reads the files; labels may lack.
PhotonicStudy study_of(const PhotonicFlags& flags);

}  // namespace loom::cli
