// A processor as modeled by the authors of Lightning: many identical cores that do one
// multiplication per tick each, and a datapath latency for every request.
//
// Memory, link, batches and matrix units are not modeled here, but in fifo_processor.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/units.h"
#include "loom/photonic/serving/served_model.h"

namespace loom::photonic {

// Datapath latency of a network, as measured.
struct DatapathTime {
  std::string_view model;
  std::int64_t nanoseconds = 0;
};

struct TickProcessor {
  std::string name;
  std::int64_t cores = 1;
  double gigahertz = 1;
  Power power;                              // board power while it works
  std::int64_t pass_nanoseconds = 0;        // datapath latency per pass of the network
  std::vector<DatapathTime> datapath = {};  // measured latencies, which replace pass_nanoseconds
  bool measured_only = false;               // supports only networks with a measured latency
  std::int64_t min_vector = 2048;           // shorter inner products are merged to this length

  // Latency of the datapath before a request reaches the cores; nullopt if the network is not
  // supported.
  std::optional<std::int64_t> datapath_latency(const ServedModel& model) const;

  double multiplications_per_second() const;
};

// Lightning, A100, A100X and Brainwave with the constants of the released simulation
// (hipersys-team/lightning, simulation/sim.py and models.py).
std::vector<TickProcessor> published_processors();

// Time of all cores together on one request, in seconds, with short products merged.
double work_seconds(const TickProcessor& processor, const ServedModel& model);

}  // namespace loom::photonic
