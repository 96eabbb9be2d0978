// Reads the jobs of a scheduling file: a list, random arrivals, or a CSV table.
#pragma once

#include "loom/scheduling/scheduling_file.h"

namespace loom::scheduling {

// Reads `jobs`, `arrivals` or `trace`, exactly one of which must be given, and `models`, which a
// table may refer to. No job may request more than `devices`. Fills the kinds, and the jobs or the
// arrivals.
void read_trace_jobs(const Tree& source, const model::Accelerator& accelerator, int devices,
                     SchedulingFile& file);

}  // namespace loom::scheduling
