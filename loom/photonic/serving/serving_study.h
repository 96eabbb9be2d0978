// Processors beside each other under the same requests: how long answers take and what they cost,
// over load and over how long one looks.
//
// Every run draws its own requests and gives the same ones to all processors, so ratios are of
// like with like. A number comes with the interval that the runs leave it. Where a processor is
// offered more than it can do its queue grows for ever, and a mean only says when one stopped.
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
  std::vector<int> mix;                      // positions in models, all alike likely
  std::vector<ServingProcessor> processors;  // the others are compared with the first
  std::vector<LeftOut> left_out;  // processors that were meant too, and cannot serve the mix
  std::vector<Bandwidth> loads;
  std::vector<int> horizons;  // a run ends when so many first requests are answered
  int runs = 10;
  std::uint64_t seed = 1;
  // Of the board's power while it waits. An assumption, the same for all: nobody published how far
  // lasers, converters and boards of these kinds can be turned down.
  double idle_share = 0.2;
  int threads = 0;
};

// One processor at one load and horizon.
struct ServingPoint {
  std::string processor;
  Bandwidth load;
  int horizon = 0;
  double offered = 0;     // over what it can do
  Estimate mean_seconds;  // to serve, of the first requests
  double median_seconds = 0;
  double p99_seconds = 0;
  // Mean time to serve over that of the first processor, averaged over the networks; as the
  // authors count, also later requests that were answered by the end.
  Estimate ratio;
  Estimate mean_ratio;  // mean time to serve of the first requests over that of the first processor
  Estimate energy_ratio;  // energy of an answer over that of the first processor's
  Estimate answers_per_second;
  Estimate working_joules;  // board power × time at work, for each answer
  Estimate waiting_joules;  // idle power × the rest of the time, for each answer

  bool stable() const { return offered < 1; }
};

// In the order load, horizon, processor.
std::vector<ServingPoint> run_study(const ServingSpec& spec);

// One request with nobody before it: seconds by processor and model; -1 where it cannot be served.
std::vector<std::vector<double>> isolated_seconds(const ServingSpec& spec);

}  // namespace loom::photonic
