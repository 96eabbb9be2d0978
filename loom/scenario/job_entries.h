// Reads the `jobs` of a scenario, and the keys that belong only to a cluster of jobs.
#pragma once

#include "loom/scenario/scenario.h"

namespace loom::scenario {

// Reads a map that names a model: the keys of a job and those of the model; `more` are keys that
// others read. `title` names the map in messages.
void read_training(const Tree& map, const std::string& title, std::span<const Parameter> more,
                   model::ModelSpec& model, Settings& workload);

// Refuses `transport`: transports whose weights change during a message need job profiles, not
// scenarios.
void refuse_transport(const Tree& scenario);

// The entries of `jobs`, which the scenario must have.
std::vector<JobEntry> read_jobs(const Tree& scenario);

}  // namespace loom::scenario
