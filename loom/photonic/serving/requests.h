// Who asks when: a list of requests read from a file, or drawn at random from a mix of networks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/base/units.h"
#include "loom/photonic/serving/served_model.h"

namespace loom::photonic {

struct Arrival {
  int model = 0;                 // position in the list of models
  std::int64_t nanoseconds = 0;  // since the beginning
};

// Lines `model,arrival in ns` in the order of arrival, with or without a heading; the number of a
// request is its place. Refused: models that are not among these.
std::vector<Arrival> parse_requests(const std::string& text, const std::string& source,
                                    const std::vector<ServedModel>& models);

// As the authors of Lightning draw them: each request is for one of `mix` (positions in `models`),
// all alike likely, and its input takes on average as long to come as a link of this speed needs;
// the times between are exponential and whole nanoseconds.
std::vector<Arrival> sample_requests(const std::vector<ServedModel>& models,
                                     const std::vector<int>& mix, Bandwidth speed, int count,
                                     std::uint64_t seed);

// Between requests of the mix, in seconds.
double mean_time_between(const std::vector<ServedModel>& models, const std::vector<int>& mix,
                         Bandwidth speed);

}  // namespace loom::photonic
