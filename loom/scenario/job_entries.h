// Reads the `jobs` of a scenario, and the keys that belong only to a cluster of jobs.
#pragma once

#include "loom/scenario/scenario.h"

namespace loom::scenario {

// Reads the description of one training job: the keys of the job and those of its model. `more` are
// further keys that the caller reads; `title` names the map in error messages.
void read_training(const Tree& map, const std::string& title, std::span<const Parameter> more,
                   model::ModelSpec& model, Settings& workload);

// Refuses the key `transport`: only job profiles support transports whose weights change during a
// message.
void refuse_transport(const Tree& scenario);

// The entries of `jobs`, which the scenario must have.
std::vector<JobEntry> read_jobs(const Tree& scenario);

}  // namespace loom::scenario
