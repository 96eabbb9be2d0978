// A published study of cluster scheduling: simulates a cluster trace and judges claims about the
// gain of CASSINI.
//
//   scheduling: a cluster trace (scheduling_file.h) with cassini false and true
//   quick: {arrivals.jobs: 24}              # overrides of a reduced run
//   claims: [{id, claim, measure, policy, published, rule}]
//
// The value of a claim is the ratio of a measure without CASSINI to that with CASSINI, under one
// policy, averaged over the seeds. Measures are mean_completion, p99_completion, mean_iteration,
// p99_iteration and marks.
#pragma once

#include "loom/reproduce/reproduce.h"

namespace loom::reproduce {

// Runs a section that has `scheduling`. Adds its claims, tables and charts to the study.
void run_scheduling_section(const Tree& section, bool quick, const run::RunOptions& options,
                            Study& study);

}  // namespace loom::reproduce
