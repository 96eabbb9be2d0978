// Options of a serving study, and their conversion to its specification.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/photonic/serving/serving_study.h"

namespace loom::lightning {

struct ServingOptions {
  std::string layers;                   // a CSV file; "": the published networks
  std::string trace;                    // a CSV file; "": random requests
  std::vector<std::string> processors;  // empty: all; the others are compared with the first
  std::vector<std::string> models;      // empty: all seven of the paper, or all in the file
  std::vector<std::string> loads;       // empty: from far below to above the paper's 60 Mbps
  std::vector<int> requests;            // horizons; empty: 100, as in the paper
  int runs = 10;
  std::uint64_t seed = 1;
  int batch = 8;
  double idle = 0.2;
  int threads = 0;
};

// InputError if a name or quantity is unknown.
photonic::ServingSpec serving_spec(const ServingOptions& options);

// Which processors are left out and why; "" if none are.
std::string left_out_text(const photonic::ServingSpec& spec);

// The requests in a trace file. Processors that cannot serve one of them are left out, or refused
// if they were named.
std::vector<photonic::Arrival> read_trace(const ServingOptions& options,
                                          photonic::ServingSpec& spec);

}  // namespace loom::lightning
