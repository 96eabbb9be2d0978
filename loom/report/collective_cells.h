// Table cells that describe a collective.
#pragma once

#include <string>

#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom::report {

// The time as a multiple of the best time; empty if the best time is 0.
Cell versus(Duration time, Duration best);

// The name of the algorithm with its parameters: "ring, 4 chunks", "hierarchical 8x4",
// "rings +1 +5".
std::string algorithm_text(const workload::Collective& collective);

// The algorithm bandwidth; empty for an unequal all_to_all, which has no single size.
Cell algorithm_bandwidth_cell(const run::CollectiveReport& work, Duration time);
Cell bus_bandwidth_cell(const run::CollectiveReport& work, Duration time);

}  // namespace loom::report
