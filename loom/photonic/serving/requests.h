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
  std::int64_t nanoseconds = 0;  // since the start
};

// Reads lines `model,arrival in ns` in the order of arrival, with or without a header line; a
// request's number is its position. Unknown models are refused.
std::vector<Arrival> parse_requests(const std::string& text, const std::string& source,
                                    const std::vector<ServedModel>& models);

// Samples requests like Lightning's authors: each is for one of `mix` (indices in `models`) with
// equal probability; interarrival times are exponential, in integer nanoseconds, and average the
// time that the input takes on a link of this speed.
std::vector<Arrival> sample_requests(const std::vector<ServedModel>& models,
                                     const std::vector<int>& mix, Bandwidth speed, int count,
                                     std::uint64_t seed);

// Mean time between requests of the mix, in seconds.
double mean_time_between(const std::vector<ServedModel>& models, const std::vector<int>& mix,
                         Bandwidth speed);

}  // namespace loom::photonic
