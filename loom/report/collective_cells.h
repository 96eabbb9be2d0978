// What is said of a collective wherever it stands in a table.
#pragma once

#include <string>

#include "loom/report/table.h"
#include "loom/run/run.h"

namespace loom {

// How many times as long as the best; nothing where the best takes no time.
Cell versus(Duration time, Duration best);

// "ring", "hierarchical 8x4", "rings +1 +5".
std::string algorithm_text(const Collective& collective);

// Nothing for an unequal all_to_all: it has no size to divide.
Cell algorithm_bandwidth_cell(const CollectiveReport& work, Duration time);
Cell bus_bandwidth_cell(const CollectiveReport& work, Duration time);

}  // namespace loom
