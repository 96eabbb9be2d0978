// What a user may say of a serving study, made into its specification.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/photonic/serving/serving_study.h"

namespace loom {

struct ServingOptions {
  std::string layers;                   // a CSV file; "": the published networks
  std::string trace;                    // a CSV file; "": requests are drawn
  std::vector<std::string> processors;  // none: all; the others are compared with the first
  std::vector<std::string> models;      // none: all seven of the paper, or all of the file
  std::vector<std::string> loads;       // none: from far below to above the paper's 60 Mbps
  std::vector<int> requests;            // horizons; none: 100, as in the paper
  int runs = 10;
  std::uint64_t seed = 1;
  int batch = 8;
  double idle = 0.2;
  int threads = 0;
};

// InputError where a name or a quantity is not known.
photonic::ServingSpec serving_spec(const ServingOptions& options);

// Which processors are left out and why; "" if none is.
std::string left_out_text(const photonic::ServingSpec& spec);

// The requests of a trace's file. Processors that cannot serve one of them are left out, or refused
// where they were named.
std::vector<photonic::Arrival> read_trace(const ServingOptions& options,
                                          photonic::ServingSpec& spec);

}  // namespace loom
