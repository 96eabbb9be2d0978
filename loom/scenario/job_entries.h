// Training jobs as a scenario lists them, and the keys that only a cluster of jobs has.
#pragma once

#include "loom/scenario/scenario.h"

namespace loom {

// A map that names a model has the job's keys and the model's, and `more` that others read. `title`
// names it in messages.
void read_training(const Tree& map, const std::string& title, std::span<const Parameter> more,
                   ModelSpec& model, Settings& workload);

// Transports whose weights change while messages run are of profiles, not of scenarios: says so.
void refuse_transport(const Tree& scenario);

// `jobs` of a scenario that has them.
std::vector<JobEntry> read_jobs(const Tree& scenario);

}  // namespace loom
