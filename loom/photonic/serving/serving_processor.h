// Any of the processors that a study compares: as published, or with what the published model
// leaves out.
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

// Why it does not serve a model that it does not.
std::string unserved_reason(const ServingProcessor& processor, const ServedModel& model);

Completions simulate(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                     const std::vector<Arrival>& arrivals, std::size_t first);

// Seconds of the whole processor that one request takes at the least, in full batches: the inverse
// of how many it can serve in a second.
double capacity_seconds(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                        int model);

// What the mix asks of the processor over what it can do; at 1 and above queues grow for ever. The
// link counts where it is the narrower.
double offered_load(const ServingProcessor& processor, const std::vector<ServedModel>& models,
                    const std::vector<int>& mix, Bandwidth speed);

}  // namespace loom::photonic
