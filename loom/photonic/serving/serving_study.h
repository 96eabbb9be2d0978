// Compares processors on the same requests: serving time and energy as functions of load and
// horizon.
//
// Every run samples new requests and gives the same requests to all processors, so ratios are
// paired. Every quantity has a confidence interval over the runs. If the load exceeds the capacity
// of a processor, its queue grows without bound, and its mean serving time depends on the length of
// the run.
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
  std::vector<ServingProcessor> processors;  // all processors are compared with the first
  std::vector<LeftOut> left_out;             // processors left out: they cannot serve the mix
  std::vector<Bandwidth> loads;
  std::vector<int> horizons;  // N: a run ends when its first N requests are answered
  int runs = 10;
  std::uint64_t seed = 1;
  // Idle power as a fraction of the board's power. This is an assumption, the same for all
  // processors: the idle power of such lasers, converters and boards is not published.
  double idle_share = 0.2;
  int threads = 0;
};

// Results of one processor at one load and horizon.
struct ServingPoint {
  std::string processor;
  Bandwidth load;
  int horizon = 0;
  double offered = 0;     // offered load relative to capacity
  Estimate mean_seconds;  // serving time of the first requests
  double median_seconds = 0;
  double p99_seconds = 0;
  // Mean serving time relative to the first processor, averaged over the networks; includes later
  // requests that were answered before the end of the run, as the authors do.
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

// Uncontended serving time in seconds by processor and model; -1 if the processor cannot serve the
// model.
std::vector<std::vector<double>> isolated_seconds(const ServingSpec& spec);

}  // namespace loom::photonic
