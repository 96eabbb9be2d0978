// A collective as a map of a file gives it: {collective: all_reduce, algorithm: ring, size: 1 GB,
// …}.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loom/base/settings.h"
#include "loom/workload/collective.h"

namespace loom {

// collective, algorithm (the usual one), size, chunks, levels ("8x4"), steps ("1 15") and sizes
// ("0 5 / 7 0", bytes from row to column; size is then the most that one rank puts in or gets out,
// unless given).
std::span<const Parameter> collective_parameters();

// InputError where the values are wrong or do not go together for so many ranks. `settings` were
// read with the parameters above, and perhaps more.
Collective read_collective(const Settings& settings, int ranks);

// The steps of rings: whole numbers with spaces between.
std::vector<int> read_steps(const Settings& settings, std::string_view key = "steps");

}  // namespace loom
