// A processor as the authors of Lightning model it: many alike cores, each one multiplication a
// tick, and a time that every request spends on its way in.
//
// Neither memory nor link nor batches nor matrix units are part of it; fifo_processor.h has those.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/units.h"
#include "loom/photonic/serving/served_model.h"

namespace loom::photonic {

// Where a request's way in takes a time of its own.
struct DatapathTime {
  std::string_view model;
  std::int64_t nanoseconds = 0;
};

struct TickProcessor {
  std::string name;
  std::int64_t cores = 1;
  double gigahertz = 1;
  Power power;                              // of the board, while it works
  std::int64_t pass_nanoseconds = 0;        // of its datapath, for each pass of the network
  std::vector<DatapathTime> datapath = {};  // by network instead, as measured
  bool measured_only = false;               // networks without a measured time are not known
  std::int64_t min_vector = 2048;           // shorter products are put together

  // On a request's way in; nullopt where nobody measured it.
  std::optional<std::int64_t> datapath_latency(const ServedModel& model) const;

  double multiplications_per_second() const;
};

// Lightning, A100, A100X and Brainwave with the constants of the released simulation
// (hipersys-team/lightning, simulation/sim.py and models.py).
std::vector<TickProcessor> published_processors();

// Seconds that all cores together work on one request, short products put together.
double work_seconds(const TickProcessor& processor, const ServedModel& model);

}  // namespace loom::photonic
