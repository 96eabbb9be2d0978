// Arrivals of requests: read from a file, or sampled from a mix of networks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/photonic/serving/served_model.h"

namespace loom::photonic {

struct Arrival {
  int model = 0;                 // index in the list of models
  std::int64_t nanoseconds = 0;  // arrival time since the start
};

// Reads a file with one request per line, `model,arrival in ns`, in any order, with or without a
// header line. The number of a request is its position in the file. Throws InputError for an
// unknown model.
std::vector<Arrival> parse_requests(const std::string& text, const std::string& source,
                                    const std::vector<ServedModel>& models);

// Samples requests as Lightning's authors do: each request is for one of `mix` (indices in
// `models`) with equal probability. Interarrival times are exponential and rounded to nanoseconds;
// their mean is the time that the input takes on a link of this speed.
std::vector<Arrival> sample_requests(const std::vector<ServedModel>& models,
                                     const std::vector<int>& mix, Bandwidth speed, int count,
                                     std::uint64_t seed);

// Mean time between requests of the mix, in seconds.
double mean_time_between(const std::vector<ServedModel>& models, const std::vector<int>& mix,
                         Bandwidth speed);

}  // namespace loom::photonic
