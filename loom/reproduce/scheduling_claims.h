// A published study that is a cluster's day: its points run, and claims about what CASSINI gains.
//
//   scheduling: a cluster trace (scheduling_file.h) with cassini false and true
//   quick: {arrivals.jobs: 24}              # what a reduced run sets
//   claims: [{claim, measure, policy, published, rule}]
//
// A measure is mean_completion, p99_completion, mean_iteration, p99_iteration or marks, each
// without CASSINI over with it; under one policy.
#pragma once

#include "loom/reproduce/reproduce.h"

namespace loom {

// Of a part that has `day`. Adds its claims, tables and pictures to the study.
void run_scheduling_section(const Tree& section, bool quick, const RunOptions& options,
                            Study& study);

}  // namespace loom
