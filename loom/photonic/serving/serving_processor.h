// The processors that a study compares: models as published, and models with effects that the
// published ones leave out.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "loom/photonic/serving/fifo_processor.h"
#include "loom/photonic/serving/tick_processor.h"

namespace loom::photonic {

using ServingProcessor = std::variant<TickProcessor, FifoProcessor>;

// Lightning, A100, A100X and Brainwave as published; then A100-fair, A100X-fair, Lightning-fed.
std::vector<ServingProcessor> serving_processors(const std::vector<ServedModel>& models,
                                                 int max_batch);

const std::string& name_of(const ServingProcessor& processor);
Power power_of(const ServingProcessor& processor);
bool serves(const ServingProcessor& processor, const std::vector<ServedModel>& models, int model);

// The reason why the processor cannot serve a model; needs a model that it cannot serve.
std::string unserved_reason(const ServingProcessor& processor, const ServedModel& model);

Completions simulate(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                     const std::vector<Arrival>& arrivals, std::size_t first);

// Minimum time of the entire processor per request, in seconds, at the best batch size: the inverse
// of its capacity in requests per second.
double capacity_seconds(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                        int model);

// Demand of the mix relative to the capacity of the processor, or of its link if that is the
// bottleneck. At 1 and above, queues grow without bound.
double offered_load(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                    const std::vector<int>& mix, Bandwidth speed);

}  // namespace loom::photonic
