// Event-driven simulation of requests on a TickProcessor, with the same results as the released
// simulation of Lightning.
//
// A request first passes the datapath; then its layers run as their dependencies end. A layer's
// products are assigned to the cores round-robin, and the layer ends with its slowest core. Events
// are ordered by time, then by request, then by insertion (the last batch first), then by layer.
// Arrivals and datapath latencies are rounded up to ticks. Time arithmetic is the same as in the
// original, so that averages are equal to the last bit.
#pragma once

#include <vector>

#include "loom/photonic/serving/completions.h"
#include "loom/photonic/serving/requests.h"
#include "loom/photonic/serving/tick_processor.h"

namespace loom::photonic {

// Runs until the first `first` requests have been answered (0: all); the result includes other
// requests answered by then. Needs the datapath latency of every requested model.
Completions simulate_ticks(const TickProcessor& processor, const std::vector<ServedModel>& models,
                           const std::vector<Arrival>& arrivals, std::size_t first);

}  // namespace loom::photonic
