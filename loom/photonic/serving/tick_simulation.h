// Requests on a TickProcessor, event by event, as the released simulation of Lightning runs them.
//
// A request spends its time on the way in, then its layers run as what they come after ends; the
// products of a layer are dealt out to the cores in turn, and the layer ends with its slowest core.
// Events are ordered by time and then by request; of those that are alike the batch inserted last
// comes first, and within it the order of the layers. Arrivals and the way in are rounded up to
// ticks. The arithmetic of times follows the original to the last bit, because its averages do.
#pragma once

#include <vector>

#include "loom/photonic/serving/completions.h"
#include "loom/photonic/serving/requests.h"
#include "loom/photonic/serving/tick_processor.h"

namespace loom::photonic {

// Runs until the first `first` requests have been answered (0: all); what else has been answered by
// then counts too. Needs the time of the way in for every model that is asked for.
Completions simulate_ticks(const TickProcessor& processor, const std::vector<ServedModel>& models,
                           const std::vector<Arrival>& arrivals, std::size_t first);

}  // namespace loom::photonic
