// The jobs of a day: listed, drawn, or in a table.
#pragma once

#include "loom/scheduling/scheduling_file.h"

namespace loom {

// From `jobs`, `arrivals` or `trace`, one of which has to be there, and `models`, which a table may
// name. No job may ask for more than `devices`. Fills kinds, and jobs or arrivals.
void read_trace_jobs(const Tree& source, const Accelerator& accelerator, int devices,
                     SchedulingFile& file);

}  // namespace loom
