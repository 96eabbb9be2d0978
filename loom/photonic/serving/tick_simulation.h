// Event-driven simulation of requests on a TickProcessor, equal to the released simulation of
// Lightning.
//
// A request first passes the datapath; then its layers run as their dependencies end. A layer's
// products are assigned to the cores round-robin, and the layer ends with its slowest core. Events
// are ordered by time and then by request; among equal ones the batch inserted last comes first,
// ordered by layer. Arrivals and datapath latencies are rounded up to ticks. Time arithmetic
// follows the original to the last bit, because its averages do.
#pragma once

#include <vector>

#include "loom/photonic/serving/completions.h"
#include "loom/photonic/serving/requests.h"
#include "loom/photonic/serving/tick_processor.h"

namespace loom::photonic {

// Runs until the first `first` requests have been answered (0: all); other requests answered by
// then count too. Needs the datapath latency of every requested model.
Completions simulate_ticks(const TickProcessor& processor, const std::vector<ServedModel>& models,
                           const std::vector<Arrival>& arrivals, std::size_t first);

}  // namespace loom::photonic
