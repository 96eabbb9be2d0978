// Command-line options of a serving study, and their conversion to a ServingSpec.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/photonic/serving/serving_study.h"

namespace loom::lightning {

struct ServingOptions {
  std::string layers;                   // CSV file of layers; "": the published networks
  std::string trace;                    // CSV file of requests; "": random requests
  std::vector<std::string> processors;  // empty: all; each is compared with the first
  std::vector<std::string> models;  // empty: the seven of the paper, or all in the file of layers
  std::vector<std::string> loads;   // empty: 1 to 240 Mbps; the paper uses 60 Mbps
  std::vector<int> requests;        // ServingSpec::horizons; empty: 100, as in the paper
  int runs = 10;
  std::uint64_t seed = 1;
  int batch = 8;
  double idle = 0.2;
  int threads = 0;
};

// Throws InputError if a name is unknown or a quantity is invalid.
photonic::ServingSpec serving_spec(const ServingOptions& options);

// A text that lists the processors left out and the reasons; "" if there are none.
std::string left_out_text(const photonic::ServingSpec& spec);

// Reads the requests in a trace file. Removes processors that cannot serve all requests from
// `spec`; throws InputError instead if the options name processors.
std::vector<photonic::Arrival> read_trace(const ServingOptions& options,
                                          photonic::ServingSpec& spec);

}  // namespace loom::lightning
