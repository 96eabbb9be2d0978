// Table cells that describe a collective.
#pragma once

#include <string>

#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom::report {

// Time as a multiple of the best; empty if the best takes no time.
Cell versus(Duration time, Duration best);

// "ring", "hierarchical 8x4", "rings +1 +5".
std::string algorithm_text(const workload::Collective& collective);

// Empty for an unequal all_to_all, which has no single size.
Cell algorithm_bandwidth_cell(const run::CollectiveReport& work, Duration time);
Cell bus_bandwidth_cell(const run::CollectiveReport& work, Duration time);

}  // namespace loom::report
