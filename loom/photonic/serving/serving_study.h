// Compares processors on the same requests: serving time and energy over load and horizon.
//
// Every run samples its own requests and gives the same ones to all processors, so ratios are
// paired. Every quantity has a confidence interval over the runs. If a processor is offered more
// than its capacity, its queue grows without bound, and a mean depends only on when the run stops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "loom/photonic/serving/estimate.h"
#include "loom/photonic/serving/serving_processor.h"

namespace loom::photonic {

struct LeftOut {
  std::string processor;
  std::string why;

  bool operator==(const LeftOut&) const = default;
};

struct ServingSpec {
  std::vector<ServedModel> models;
  std::vector<int> mix;                      // indices of models, with equal probability
  std::vector<ServingProcessor> processors;  // the others are compared with the first
  std::vector<LeftOut> left_out;             // requested processors that cannot serve the mix
  std::vector<Bandwidth> loads;
  std::vector<int> horizons;  // a run ends when this many first requests are answered
  int runs = 10;
  std::uint64_t seed = 1;
  // Idle power as a fraction of the board's power. An assumption, the same for all: no data is
  // published on the idle power of such lasers, converters and boards.
  double idle_share = 0.2;
  int threads = 0;
};

// One processor at one load and horizon.
struct ServingPoint {
  std::string processor;
  Bandwidth load;
  int horizon = 0;
  double offered = 0;     // offered load relative to capacity
  Estimate mean_seconds;  // serving time of the first requests
  double median_seconds = 0;
  double p99_seconds = 0;
  // Mean serving time relative to the first processor, averaged over the networks; like the
  // authors, includes later requests that were answered by the end.
  Estimate ratio;
  Estimate mean_ratio;    // mean serving time of the first requests relative to the first processor
  Estimate energy_ratio;  // energy per answer relative to the first processor
  Estimate answers_per_second;
  Estimate working_joules;  // board power × busy time, per answer
  Estimate waiting_joules;  // idle power × idle time, per answer

  bool stable() const { return offered < 1; }
};

// Ordered by load, horizon, processor.
std::vector<ServingPoint> run_study(const ServingSpec& spec);

// Uncontended serving time in seconds by processor and model; -1 if it cannot be served.
std::vector<std::vector<double>> isolated_seconds(const ServingSpec& spec);

}  // namespace loom::photonic
