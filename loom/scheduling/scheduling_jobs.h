// Reads the jobs of a scheduling file: a list, random arrivals, or a CSV table.
#pragma once

#include "loom/scheduling/scheduling_file.h"

namespace loom::scheduling {

// Reads `jobs`, `arrivals` or `trace`, exactly one of which must be given, and `models`, which a
// trace may refer to. Refuses jobs that request more than `devices`. Fills `file.kinds`, and
// `file.jobs` or `file.arrivals`.
void read_trace_jobs(const Tree& source, const model::Accelerator& accelerator, int devices,
                     SchedulingFile& file);

}  // namespace loom::scheduling
